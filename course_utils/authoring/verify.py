"""Prove, for every exercise, that its check checks what it claims to check.

The stub passes nothing, right answers pass, each wrong answer meets its own finding, junk is
refused, mutants of the reference are caught, and no hidden value can be read. Every problem is
one sentence: where it is, what was seen, what to do.
"""

import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.authoring import corpus, text
from course_utils.authoring.junk import junk_answers
from course_utils.authoring.mutants import mutants
from course_utils.authoring.release import released_notebook
from course_utils.checking import registry
from course_utils.checking.contract import Judge, Observer
from course_utils.checking.engine import (
    GENERAL_FINDINGS,
    count_hidden,
    examine,
    examine_cases,
    hidden_cases,
    public_cases,
)
from course_utils.checking.outcomes import Report
from course_utils.checking.reference import graded_cell, reference, source_notebook
from course_utils.checking.view import report_message
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, Exercise, load_manifest

SEEDS = ("a", "b", "c")
_MUTANT_SECONDS = 1.0


@dataclass(frozen=True)
class Counts:
    """What was proven for one exercise; killed and listed count mutants."""

    accepted: int
    wrong: int
    findings: int
    killed: int
    listed: int

    def __str__(self) -> str:
        return (
            f"{self.accepted} accepted, {self.wrong} wrong, {self.findings} findings, "
            f"{self.killed} mutants caught, {self.listed} listed"
        )


def verify_course(
    root: Path, names: Sequence[str] | None, say: Callable[[str], None]
) -> list[str]:
    """Verify the exercises called `names` (default: all). Says and returns every problem."""
    course = load_manifest(root / "course.toml")
    chosen = {course.exercise(name).name for name in names or ()}
    problems = [
        f"{change.path} is not in step with its text ({change.what}): run `course build`, or "
        "`course absorb` to keep what was edited in the notebook."
        for change in text.build(root, check=True)
    ]
    for problem in problems:
        say(f"✗ {problem}")
    for assignment in course.assignments:
        stubs = _stubs(root, assignment)
        for exercise in assignment.exercises:
            if chosen and exercise.name not in chosen:
                continue
            proof = _Proof(root, assignment, exercise, stubs)
            found = list(proof.problems())
            for problem in found:
                say(f"✗ {exercise.name}: {problem}")
            if not found:
                say(f"✓ {exercise.name}: {proof.counts}")
            problems += found
    say(f"{len(problems)} problems." if problems else "Verified: no problems.")
    return problems


def _stubs(root: Path, assignment: Assignment) -> dict[str, str]:
    """What learners find in each solution cell of the released notebook, by grade_id."""
    released = released_notebook(source_notebook(root, assignment))
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in released.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


class _Proof:
    """The proof for one exercise, in steps that each give the problems they find."""

    def __init__(
        self, root: Path, assignment: Assignment, exercise: Exercise, stubs: dict[str, str]
    ) -> None:
        self.exercise, self.stubs = exercise, stubs
        self.notebook = source_notebook(root, assignment)
        self.folder = corpus.folder(root, assignment.name, exercise)
        self.reference = reference(exercise.name, root)
        self.observer: Observer = registry.observer(exercise.name)
        self.judge: Judge = registry.judge(exercise.name)
        self.counts: Counts | None = None
        if self.observer.needs_devices:
            _ensure_devices()

    def problems(self) -> Iterator[str]:
        """Every problem; what cannot be read or run at all ends the proof."""
        try:
            yield from self._steps()
        except CourseError as error:
            yield str(error)

    def _steps(self) -> Iterator[str]:
        accepted = corpus.known_answers(self.folder, "accepted")
        wrong = corpus.known_answers(self.folder, "wrong")
        yield from self._cells()
        yield from self._cases()
        yield from self._texts()
        yield from self._stub()
        yield from self._accepted(accepted)
        yield from self._wrong(wrong)
        yield from self._findings(wrong)
        yield from self._secrets(wrong)
        yield from self._junk()
        killed, listed, survivors = self._mutants()
        yield from survivors
        for path in corpus.stray_files(self.folder):
            yield f"{path} is no known answer: move it to accepted/ or wrong/, or delete it."
        findings = len(self.judge.findings)
        self.counts = Counts(len(accepted), len(wrong), findings, killed, listed)

    def _examine(self, source: str, filename: str, seed: str | None) -> Report:
        answer = corpus.load_answer(source, self.exercise.short, filename)
        return examine(self.observer, self.judge, answer, seed)

    def _cells(self) -> Iterator[str]:
        short, name = self.exercise.short, self.exercise.name
        cell = graded_cell(self.notebook, f"{short}_check")
        line = f'check("{name}", {short})'
        if cell["source"] != line:
            yield f"the cell {short}_check must hold exactly `{line}`."
        points = cell["metadata"]["nbgrader"].get("points")
        if points != self.exercise.points:
            yield (f"the cell {short}_check gives {points} points and course.toml gives "
                   f"{self.exercise.points}: make them equal.")

    def _cases(self) -> Iterator[str]:
        drawn = [self.judge.cases(random.Random(seed)) for seed in SEEDS]
        outlines = {tuple((c.title, c.separates, c.hidden) for c in cases) for cases in drawn}
        if len(outlines) > 1:
            yield "the titles and the number of its cases depend on the seed: make them fixed."
        if not public_cases(self.judge) or not count_hidden(self.judge):
            yield "it needs public cases and hidden ones."
        if len({str([dict(c.data) for c in cases if c.hidden]) for cases in drawn}) == 1:
            yield "its hidden cases are the same for every seed: draw them from `rng`."

    def _texts(self) -> Iterator[str]:
        if len(self.judge.hints) < 3:
            yield f"it has {len(self.judge.hints)} hints: write three or more."
        for number, hint in enumerate(self.judge.hints, start=1):
            if not hint.strip():
                yield f"hint {number} is empty: write it."
        for kind in self.judge.findings:
            if not all((kind.title.strip(), kind.explanation.strip(), kind.next_step.strip())):
                yield f"the finding {kind.name} has an empty text: write it."

    def _stub(self) -> Iterator[str]:
        stub = self.stubs.get(self.exercise.short)
        if stub is None:
            yield f"the release has no solution cell {self.exercise.short}: add it to the source."
            return
        for seed in (None, SEEDS[0]):
            outcome = corpus.outcome_name(self._examine(stub, "<stub>", seed).outcome)
            if outcome != "not-attempted":
                yield (f"the untouched stub comes out as {outcome}, but it must be not-attempted: "
                       "let the stub raise NotImplementedError.")
                return

    def _accepted(self, accepted: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        if len(accepted) < 2:
            yield f"{self.folder}/accepted needs two answers or more, with different approaches."
        right = [("the reference", self.reference)]
        right += [(str(answer.path), answer.source) for answer in accepted]
        for label, source in right:
            for seed in SEEDS:
                report = self._examine(source, label, seed)
                if not report.passed:
                    yield (f"{label} must pass, but with seed {seed!r} it comes out as "
                           f"{corpus.outcome_name(report.outcome)}: {_said(report)}")
                    break

    def _wrong(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        if len(wrong) < 3:
            yield f"{self.folder}/wrong needs three answers or more, one misconception each."
        for answer in wrong:
            for seed in SEEDS:
                report = self._examine(answer.source, str(answer.path), seed)
                outcome = corpus.outcome_name(report.outcome)
                if outcome != answer.expected:
                    yield (f"{answer.path} must come out as {answer.expected}, but with seed "
                           f"{seed!r} it comes out as {outcome}: {_said(report)}")
                    break

    def _findings(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        known = {kind.name for kind in (*self.judge.findings, *GENERAL_FINDINGS)}
        expected = {answer.expected for answer in wrong}
        for name in sorted(expected - known - {"raised", "timed-out"}):
            yield f"no finding is named {name}: correct the first line of that wrong answer."
        for kind in self.judge.findings:
            if kind.name not in expected:
                yield (f"no wrong answer reaches the finding {kind.name}: add one to "
                       f"{self.folder}/wrong, or drop the finding.")

    def _secrets(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        """What is said of hidden cases must not depend on what is in them."""
        for answer in wrong:
            function = corpus.load_answer(answer.source, self.exercise.short, str(answer.path))
            for index in range(count_hidden(self.judge)):
                said = set()
                for seed in SEEDS:
                    case = hidden_cases(self.judge, seed)[index]
                    report = examine_cases(self.observer, self.judge, function, [case])
                    finding = getattr(report.outcome, "finding", None)
                    if finding is not None and finding.kind.name == answer.expected:
                        said.add(report_message(report).text)
                if len(said) > 1:
                    yield (f"what {answer.path} is told of hidden case {index + 1} depends on the "
                           "seed, so it gives values away: take them out of the finding's texts.")
                    break

    def _junk(self) -> Iterator[str]:
        for label, answer in junk_answers(self.observer):
            report = examine(self.observer, self.judge, answer, SEEDS[0])
            outcome = corpus.outcome_name(report.outcome)
            if outcome in ("passed", "could-not-grade"):
                yield f"an answer that {label} comes out as {outcome}: the check must refuse it."

    def _mutants(self) -> tuple[int, int, list[str]]:
        listed = self._listed_survivors()
        problems: list[str] = []
        killed = 0
        met: set[str] = set()
        for mutant in mutants(self.reference):
            met.add(mutant.change)
            alive = self._survives(mutant.source)
            killed += not alive
            if alive and mutant.change not in listed:
                problems.append(
                    f"a mutant of the reference passes: {mutant.change}. Add a case that catches "
                    f"it, or list it with a reason in {self.folder}/survivors.toml."
                )
            if not alive and mutant.change in listed:
                problems.append(f"survivors.toml lists {mutant.change}, which is caught: drop it.")
        for change in listed.keys() - met:
            problems.append(f"survivors.toml lists {change}, which is no mutant: drop it.")
        return killed, len(listed), problems

    def _survives(self, source: str) -> bool:
        try:
            answer = corpus.load_answer(source, self.exercise.short, "<mutant>")
        except CourseError:
            return False
        cases = [*public_cases(self.judge), *hidden_cases(self.judge, SEEDS[0])]
        report = examine_cases(self.observer, self.judge, answer, cases, _MUTANT_SECONDS)
        return report.passed

    def _listed_survivors(self) -> dict[str, str]:
        path = self.folder / "survivors.toml"
        if not path.exists():
            return {}
        return tomllib.loads(path.read_text(encoding="utf-8"))["survivors"]


def _ensure_devices() -> None:
    from course_utils.devices import current_lab, lab

    if current_lab() is None:
        lab(gpus=4)


def _said(report: Any) -> str:
    return " / ".join(report_message(report).text.splitlines()[:2])
