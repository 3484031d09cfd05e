"""The proof that the check of an exercise works.

The stub does not pass, accepted answers pass, each wrong answer gets its finding in the public
cases, invalid answers are refused, mutants of the answer are caught, and the task's examples are
true. The message for a problem says where it is, what was seen, and what to do.
"""

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from exercise_kit import corpus, known
from exercise_kit.check import check
from exercise_kit.comparison import same
from exercise_kit.contract import Case
from exercise_kit.diagnosis import DiagnosisJudge
from exercise_kit.engine import examine
from exercise_kit.errors import ExerciseError
from exercise_kit.examples import example_problems
from exercise_kit.folder import Exercise
from exercise_kit.given import given, given_problems
from exercise_kit.imports import import_problems
from exercise_kit.junk import junk_answers
from exercise_kit.mutants import mutants
from exercise_kit.observers import OneCall
from exercise_kit.outcomes import Failed, Report, outcome_name
from exercise_kit.reference import reference, stub
from exercise_kit.runner import Runner
from exercise_kit.scaffold import unfinished
from exercise_kit.truth import Once, known_cases
from exercise_kit.words import general_findings

SEEDS = ("a", "b", "c")
_MUTANT_SECONDS = 1.0
_NO_FINDING = ("raised", "timed-out")
_AS_GOOD = 1e-4  # tolerance for floating point on this computer and on that of known.json


@dataclass(frozen=True)
class Counts:
    """The counts of a proof, for one or several exercises. killed, listed: of mutants."""

    exercises: int = 0
    accepted: int = 0
    wrong: int = 0
    findings: int = 0
    killed: int = 0
    listed: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(sum(pair) for pair in zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.accepted} accepted, {self.wrong} wrong, {number(self.findings, 'finding')}, "
            f"{number(self.killed, 'mutant')} caught, {self.listed} listed"
        )


def number(count: int, noun: str) -> str:
    """A count with its noun: "1 mutant", "2 mutants"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Proof:
    """The proof for one exercise, in steps that yield messages about problems.

    stub: the learner's starting text; default: made from answer.py.
    brief: without mutants, and with hidden cases of only one seed. A wrong answer that starts
        programs runs in the cases where known.json has its finding; if it passes them, in all.
    """

    def __init__(self, exercise: Exercise, stub: str | None = None, *, brief: bool = False) -> None:
        self.exercise, self.stub, self._brief = exercise, stub, brief
        self.folder = exercise.path
        self.counts = Counts()
        self._asked: dict[str, Once] = {}

    def problems(self) -> Iterator[str]:
        """The messages about all problems. A file that cannot be read or run ends the proof."""
        missing = list(corpus.missing_parts(self.folder))
        if missing:
            yield f"{self.folder} lacks {', '.join(missing)}. Write what is missing."
            return
        for path in unfinished(self.folder):
            yield f"{path} still contains TODO. Finish it."
        try:
            yield from self._steps()
        except ExerciseError as error:
            yield str(error)
        except ValueError as error:  # a draw that does not produce the situation of its case
            yield f"{error} (in the cases of {self.folder})"

    def _steps(self) -> Iterator[str]:
        self.reference = reference(self.folder)
        self.observer, self.judge = self.exercise.observer, self.exercise.judge
        self.words = self.exercise.words
        # In new processes the answer behaves as when known.json was built: no need to repeat.
        self._once = self.observer.in_processes and self.exercise.is_data
        self.exercise.world.ready(self.observer)
        accepted = corpus.known_answers(self.folder, "accepted")
        wrong = corpus.known_answers(self.folder, "wrong")
        yield from import_problems(self.folder)
        yield from self._cases()
        if self.exercise.is_data:
            yield from self._known()
        yield from self._stub()
        yield from self._accepted(accepted)
        yield from self._wrong(wrong)
        yield from self._findings(wrong)
        yield from given_problems(self.exercise)
        yield from example_problems(self.exercise)
        yield from self._junk()
        killed, listed, survivors = (0, 0, []) if self._brief else self._mutants()
        yield from survivors
        for path in corpus.stray_files(self.folder):
            yield f"{path} is no part of an exercise. Move it to accepted/ or wrong/, or delete it."
        self.counts = Counts(1, len(accepted), len(wrong), len(self.words.findings), killed, listed)

    def _report(self, answer: Any, *seeds: str) -> Report:
        return check(self.exercise, answer, *seeds).report

    def _asks(self, answer: corpus.KnownAnswer) -> Once:
        """The function that runs public cases on a wrong answer, each only once in a proof."""
        if answer.name not in self._asked:
            runner = Runner(self.observer, answer.load(self.exercise.short), self.exercise.world)
            self._asked[answer.name] = Once(runner, self._passed(answer.expected))
        return self._asked[answer.name]

    def _passed(self, finding: str) -> dict[str, Any]:
        """In a brief proof with programs, the right facts of the cases without this finding."""
        cases = self.exercise.public_cases if self._brief and self._once else ()
        known = [c.title for c in cases if finding in {rival.finding for rival in c.rivals}]
        return {c.title: c.right for c in cases if known and c.title not in known}

    def _cases(self) -> Iterator[str]:
        drawn = [self.judge.cases(random.Random(seed)) for seed in SEEDS]
        if len({tuple(case.title for case in cases) for cases in drawn}) > 1:
            yield "the titles or the number of its cases depend on the seed. Make them fixed."
            return
        titles = [case.title for case in drawn[0]]
        for title in sorted({title for title in titles if titles.count(title) > 1}):
            yield f"two of its cases are called “{title}”. Give them different titles."
        if isinstance(self.observer, OneCall):
            for name in self.observer.parameters:
                tuples = any(isinstance(case.data.get(name), tuple) for case in drawn[0])
                if tuples and not self.observer.makes(name):
                    yield (
                        f"`{name}` is a tuple in its cases, but the answer would get a list. Use "
                        f'`OneCall(make={{"{name}": tuple}})`.'
                    )
        if not given(self.exercise) and not any("the task" in title for title in titles):
            yield (
                "none of its cases is the task's example. Add that case, and say so in its "
                "title, as in “the task's example” or “two workers, as in the task”."
            )
        of_a_run = isinstance(self.judge, DiagnosisJudge)
        if not of_a_run and not any(map(self.exercise.hidden_cases, SEEDS)):
            yield "no case draws a value from `rng`, so no case can be hidden. Draw some values."
        if len(self.words.hints) < 3:
            yield f"it has {len(self.words.hints)} hints. Write three or more in words.md."
        for name, wording in self.words.findings.items():
            if wording.hint is None:
                yield f"the finding {name} names no hint. End it with `Hint: ` and a number."

    def _known(self) -> Iterator[str]:
        """Messages if known.json differs from the results of the answers."""
        if not known.is_current(self.folder):
            yield f"{self.folder}/{known.NAME} was made from other files. Build it again."
            return
        shipped = self.exercise.public_cases
        for old, new in zip(shipped, known_cases(self.exercise, self._asks), strict=True):
            if not (same(old.right, new.right, tolerance=_AS_GOOD) and old.data == new.data):
                what = "the answer"
            elif not same(self._comparable(new), self._comparable(old), tolerance=_AS_GOOD):
                what = "the wrong answers"
            else:
                continue
            yield (
                f"in the case “{old.title}” {what} gave other results when {known.NAME} was built. "
                "Remove everything that depends on chance or on the computer, and build it again."
            )

    def _comparable(self, case: Case) -> list[list[Any]]:
        """The rivals of a case whose facts do not depend on the computer."""
        is_of_here = self.exercise.world.is_of_the_machine
        return [[*rival] for rival in case.rivals if not is_of_here(rival.value)]

    def _stub(self) -> Iterator[str]:
        source = self.stub or stub(self.folder)
        untouched = corpus.load_answer(source, self.exercise.short, "<stub>")
        outcome = outcome_name(self._report(untouched).outcome)
        if outcome != "not-attempted":
            yield (
                f"the outcome of the untouched stub is {outcome}, but must be not-attempted. "
                "Put the whole body between ### BEGIN SOLUTION and ### END SOLUTION."
            )

    def _accepted(self, accepted: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        if len(accepted) < 2:
            yield f"{self.folder}/accepted needs two or more answers with different approaches."
        where = f"{self.folder}/answer.py"
        own = corpus.KnownAnswer("answer", where, 1, self.reference, "passed")
        seeds = SEEDS[:1] if self._brief else SEEDS
        for answer in accepted if self._once else [own, *accepted]:
            report = self._report(answer.load(self.exercise.short), *seeds)
            if not report.passed:
                outcome = outcome_name(report.outcome)
                yield f"{answer.where} must pass, but its outcome is {outcome}: {said(report)}"

    def _wrong(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        if len(wrong) < 3:
            yield f"{self.folder}/wrong needs three or more answers, each with one mistake."
        for answer in wrong:
            ask, public = self._asks(answer), self.exercise.public_cases
            anew = None if self._once else ask.anew
            report = examine(self.exercise.name, self.judge, ask, public, anew=anew)
            if report.passed:  # with another build of PyTorch, another case may decide
                report = self._report(answer.load(self.exercise.short))
            if report.passed:
                yield f"{answer.where} passes the public cases. Add a case that it gets wrong."
            elif (outcome := outcome_name(report.outcome)) != answer.expected:
                yield (
                    f"the outcome of {answer.where} must be {answer.expected}, but it is "
                    f"{outcome}: {said(report)}. Put the right finding first in words.md, or add "
                    "a case before this one that distinguishes them."
                )

    def _findings(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        expected = {answer.expected for answer in wrong}
        general = general_findings(self.exercise.world.words)
        for name in sorted(expected - {*self.words.findings, *general, *_NO_FINDING}):
            yield f"words.md has no finding {name}, which a wrong answer names. Write it."
        for name in self.words.findings:
            if name not in expected:
                yield (
                    f"no wrong answer gets the finding {name} in the public cases. Add one to "
                    f"{self.folder}/wrong, or delete the finding from words.md."
                )

    def _junk(self) -> Iterator[str]:
        for label, answer in junk_answers(self.observer):
            report = self._report(answer)
            outcome = outcome_name(report.outcome)
            if outcome in ("passed", "could-not-grade"):
                yield f"the outcome of an answer that {label} is {outcome}: {said(report)}"

    def _mutants(self) -> tuple[int, int, list[str]]:
        listed = self._listed_survivors()
        problems: list[str] = []
        killed = 0
        met: set[str] = set()
        cases = [*self.exercise.public_cases]
        for mutant in mutants(self.reference):
            met.add(mutant.change)
            alive = self._survives(mutant.source, cases)
            killed += not alive
            if alive and mutant.change not in listed:
                problems.append(
                    f"a mutant of the reference passes: {mutant.change}. Add a case that catches "
                    f"it, or list it with a reason in {self.folder}/survivors.toml."
                )
            if not alive and mutant.change in listed:
                problems.append(
                    f"survivors.toml lists {mutant.change}, which is caught. Delete it."
                )
        for change in listed.keys() - met:
            problems.append(f"survivors.toml lists {change}, which is not a mutant. Delete it.")
        return killed, len(listed), problems

    def _survives(self, source: str, cases: list[Case]) -> bool:
        """Whether a mutant passes all cases. A case that catches it moves to the front."""
        try:
            answer = corpus.load_answer(source, self.exercise.short, "<mutant>")
        except ExerciseError:
            return False
        ask = Runner(self.observer, answer, self.exercise.world, _MUTANT_SECONDS)
        place = examine(self.exercise.name, self.judge, ask, cases).place
        if place is not None:
            cases.insert(0, cases.pop(place.number - 1))
        return place is None

    def _listed_survivors(self) -> dict[str, str]:
        path = self.folder / "survivors.toml"
        return tomllib.loads(path.read_text("utf-8"))["survivors"] if path.exists() else {}


def said(report: Report) -> str:
    """The outcome of an answer and its case, in one line."""
    place = f" in case {report.place.number}, “{report.place.title}”" if report.place else ""
    match report.outcome:
        case Failed(finding):
            return f"seen {finding.seen}, expected {finding.expected}{place}"
        case outcome:
            return f"{outcome}{place}"
