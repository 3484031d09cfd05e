"""The content of known.json, made by running answers: right facts, and facts of wrong answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from exercise_kit import known
from exercise_kit.contract import Case, Facts, Rival
from exercise_kit.corpus import KnownAnswer, known_answers
from exercise_kit.folder import Exercise
from exercise_kit.judging import DataJudge
from exercise_kit.runner import Runner, Seen

_RIVAL_SECONDS = 2.0  # of processor time: a wrong answer may never end


class Once:
    """Runs each case on an answer once, and repeats the stored result after that.

    runner: runs the cases. Cases are identified by their titles. seen: results known already.
    """

    def __init__(self, runner: Runner, seen: Mapping[str, Seen] | None = None) -> None:
        self._runner = runner
        self._seen = dict(seen or {})

    def __call__(self, case: Case) -> Seen:
        """The result of the case, from its first run."""
        if case.title not in self._seen:
            self._seen[case.title] = self._runner(case)
        return self._seen[case.title]

    def anew(self, case: Case) -> Seen | None:
        """The result of a case on a copy that was never called. The stored result is dropped."""
        self._seen.pop(case.title, None)
        return self._runner.anew(case)


def known_cases(
    exercise: Exercise, asks: Callable[[KnownAnswer], Callable[[Case], Seen]] | None = None
) -> list[Case]:
    """The public cases with their right facts and rivals.

    asks: makes the function that runs cases on a wrong answer; default: a new `Runner`.

    A wrong answer is a rival only in the first case that it gets wrong, unless it raises an error
    there. A learner's answer that fails in this case has passed the same earlier cases. Rivals are
    in the order of their findings in words.md, then of their names.
    """
    cases = exercise.drawn_publicly()
    rights = exercise.right_facts(cases)
    order = list(exercise.words.findings)
    wrong = [answer for answer in known_answers(exercise.path, "wrong") if answer.expected in order]
    rivals: list[list[Rival]] = [[] for _ in cases]
    for answer in sorted(wrong, key=lambda answer: order.index(answer.expected)):
        ask = asks(answer) if asks else _runner(exercise, answer)
        for number, rival in _first_difference(
            exercise, answer, ask, zip(cases, rights, strict=True)
        ):
            rivals[number].append(rival)
    return [
        Case(case.title, case.data, right, tuple(_explaining(exercise, found)))
        for case, right, found in zip(cases, rights, rivals, strict=True)
    ]


def _runner(exercise: Exercise, answer: KnownAnswer) -> Runner:
    function = answer.load(exercise.short)
    return Runner(exercise.observer, function, exercise.world, _RIVAL_SECONDS)


def _first_difference(
    exercise: Exercise,
    answer: KnownAnswer,
    ask: Callable[[Case], Seen],
    rights: Iterable[tuple[Case, Facts]],
) -> Iterator[tuple[int, Rival]]:
    """The number of the first case that a wrong answer gets wrong, and its rival."""
    judge = exercise.judge
    assert isinstance(judge, DataJudge)
    for number, (case, right) in enumerate(rights):
        seen = ask(case)
        if not isinstance(seen, dict):
            return
        if look := judge.differs(seen, right):
            yield number, Rival(answer.expected, look.fact, seen.get(look.fact))
            return


def _explaining(exercise: Exercise, rivals: Sequence[Rival]) -> Iterator[Rival]:
    """The rivals, without those that an earlier rival with the same fact makes useless."""
    judge = exercise.judge
    assert isinstance(judge, DataJudge)
    looks = {look.fact: look for look in judge.looks}
    met: list[Rival] = []
    for rival in rivals:
        look = looks[rival.fact]
        if not any(o.fact == rival.fact and look.equal(rival.value, o.value) for o in met):
            met.append(rival)
            yield rival


def shipped(exercise: Exercise) -> str:
    """The content of known.json, made by running the answers."""
    cases = known_cases(exercise)
    return known.written(exercise.path, exercise.observer.parameters, cases)


def build(exercise: Exercise) -> Path:
    """Write known.json, the file of the public cases. Returns its path."""
    file = exercise.path / known.NAME
    file.write_text(shipped(exercise), encoding="utf-8")
    return file
