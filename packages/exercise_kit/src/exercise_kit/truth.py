"""What known.json holds: what is right, and what wrong answers do instead, as they are run."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from exercise_kit import known
from exercise_kit.contract import Case, Facts, Rival
from exercise_kit.corpus import KnownAnswer, known_answers
from exercise_kit.folder import Exercise
from exercise_kit.judging import DataJudge
from exercise_kit.runner import Runner, Seen

_RIVAL_SECONDS = 2.0  # of processor time: a wrong answer may be one that does not end


class Once:
    """Puts each case to an answer once, and then tells what was seen.

    runner: what puts them. Cases are known by their titles.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._seen: dict[str, Seen] = {}

    def __call__(self, case: Case) -> Seen:
        """What was seen of the case when it was put first."""
        if case.title not in self._seen:
            self._seen[case.title] = self._runner(case)
        return self._seen[case.title]

    def anew(self, case: Case) -> Seen | None:
        """Put a case to a copy that was never called; the answer is then asked once more."""
        self._seen.pop(case.title, None)
        return self._runner.anew(case)


def known_cases(
    exercise: Exercise, asks: Callable[[KnownAnswer], Callable[[Case], Seen]] | None = None
) -> list[Case]:
    """The public cases, each with what is right in it and with its rivals.

    asks: what puts cases to a wrong answer; a `Runner` of its own by default.

    A wrong answer is a rival in the first case that it gets wrong, unless it raises there: an
    answer to be explained has passed all cases before, and so has its rival. They explain in the
    order in which words.md has their findings, and then in that of their names.
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
    """The first case that a wrong answer gets wrong, and what it does there."""
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
    """Without those that could never explain anything, since an earlier one does."""
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
    """Make the file of the public cases, known.json. Returns where it is."""
    file = exercise.path / known.NAME
    file.write_text(shipped(exercise), encoding="utf-8")
    return file
