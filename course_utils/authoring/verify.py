"""Prove, for every exercise, that its check checks what it claims to check.

The stub passes nothing, right answers pass, each wrong answer meets its own finding in the public
cases, junk is refused, and mutants of the reference are caught. Every problem is one sentence:
where it is, what was seen, what to do.
"""

import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from course_utils.authoring import corpus, text
from course_utils.authoring.assembly import source_notebook
from course_utils.authoring.given import given_problems
from course_utils.authoring.imports import import_problems
from course_utils.authoring.junk import junk_answers
from course_utils.authoring.mutants import mutants
from course_utils.authoring.release import released_notebook
from course_utils.authoring.scaffold import unfinished
from course_utils.checking.beside import Beside
from course_utils.checking.contract import Judge, Observer
from course_utils.checking.engine import examine, hidden_cases
from course_utils.checking.exercises import ExerciseFolder
from course_utils.checking.outcomes import Report, outcome_name
from course_utils.checking.reference import reference
from course_utils.checking.view import report_message
from course_utils.checking.words import general_findings
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, Course, Exercise, load_manifest
from course_utils.voice import silent

SEEDS = ("a", "b", "c")
_MUTANT_SECONDS = 1.0
_NO_FINDING = ("raised", "timed-out")


@dataclass(frozen=True)
class Counts:
    """What was proven for one exercise, or for several.

    graded_only: wrong answers that pass the public cases; killed and listed count mutants.
    """

    exercises: int = 0
    accepted: int = 0
    wrong: int = 0
    graded_only: int = 0
    findings: int = 0
    killed: int = 0
    listed: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(sum(pair) for pair in zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        marked = f" ({self.graded_only} found at grading only)" if self.graded_only else ""
        return (
            f"{self.accepted} accepted, {self.wrong} wrong{marked}, "
            f"{_number(self.findings, 'finding')}, {_number(self.killed, 'mutant')} caught, "
            f"{self.listed} listed"
        )


def verify_course(
    root: Path,
    names: Sequence[str] | None,
    say: Callable[[str], None],
    doing: Callable[..., None] = silent,
) -> list[str]:
    """Verify the exercises in what is called `names` (default: all).

    Says and returns every problem; `doing` is told which exercise is being proven. Raises
    CourseError for a name that does not exist.
    """
    course = load_manifest(root / "course.toml")
    chosen = _chosen(course, names)
    touched = [a.name for a in course.assignments if any(e.name in chosen for e in a.exercises)]
    problems = [] if names else list(_strangers(root, course))
    problems += [
        f"{change.path} is out of step ({change.what}): run `course build`, or, to keep what was "
        "edited in a notebook, `course absorb`."
        for change in text.build(root, touched, check=True, doing=doing)
    ]
    for problem in problems:
        say(f"✗ {problem}")
    total, done = Counts(), 0
    for assignment in course.assignments:
        if assignment.name not in touched:
            continue
        stubs = _stubs(root, assignment)
        for exercise in assignment.exercises:
            if exercise.name not in chosen:
                continue
            done += 1
            doing(f"Proving {exercise.name}, {done} of {len(chosen)}")
            proof = _Proof(root, exercise, stubs)
            found = list(proof.problems())
            for problem in found:
                say(f"✗ {exercise.name}: {problem}")
            if not found:
                say(f"✓ {exercise.name}: {proof.counts}")
                total += proof.counts
            problems += found
    end = f"{_number(len(problems), 'problem')}." if problems else "Verified: no problems."
    say(f"{end} Proven: {_number(total.exercises, 'exercise')}, {total}.")
    return problems


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _chosen(course: Course, names: Sequence[str] | None) -> set[str]:
    """The exercises in what `names` stand for."""
    if not names:
        return {exercise.name for entry in course.assignments for exercise in entry.exercises}
    return {exercise.name for name in names for exercise in course.find(name).exercises}


def _strangers(root: Path, course: Course) -> Iterator[str]:
    """Folders that no entry of course.toml names."""
    known = {exercise.name for entry in course.assignments for exercise in entry.exercises}
    for task in sorted((root / "assignments" / "exercises").glob("*/*/")):
        name = f"{task.parent.name}.{task.name}"
        if task.is_dir() and not task.name.startswith("__") and name not in known:
            yield f"{task} is an exercise that course.toml does not name: add {name} there."


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

    def __init__(self, root: Path, exercise: Exercise, stubs: dict[str, str]) -> None:
        self.exercise, self.stubs = exercise, stubs
        self.parts = ExerciseFolder(exercise.name, root)
        self.folder = self.parts.path
        self.counts = Counts()

    def problems(self) -> Iterator[str]:
        """Every problem; what cannot be read or run at all ends the proof."""
        missing = list(corpus.missing_parts(self.folder))
        if missing:
            yield f"{self.folder} lacks {', '.join(missing)}: CONTRIBUTING.md says what they hold."
            return
        if "TODO" in self.exercise.title:
            yield f"it has the title {self.exercise.title} in course.toml: write one."
        for path in unfinished(self.folder):
            yield f"{path} still says TODO: finish what is written there."
        try:
            yield from self._steps()
        except CourseError as error:
            yield str(error)
        except ValueError as error:  # a draw that does not bring about what its case needs
            yield f"{error} (in its judge.py)"

    def _steps(self) -> Iterator[str]:
        self.reference = reference(self.folder)
        self.observer: Observer = self.parts.observer
        self.judge: Judge = self.parts.judge
        self.words = self.parts.words
        if self.observer.needs_devices:
            _ensure_devices()
        accepted = corpus.known_answers(self.folder, "accepted")
        wrong = corpus.known_answers(self.folder, "wrong")
        yield from import_problems(self.folder)
        yield from self._cases()
        yield from self._stub()
        yield from self._accepted(accepted)
        yield from self._wrong(wrong)
        yield from self._findings(wrong)
        yield from given_problems(self.exercise, self.parts)
        yield from self._junk()
        killed, listed, survivors = self._mutants()
        yield from survivors
        for path in corpus.stray_files(self.folder):
            yield f"{path} is no part of an exercise: move it to accepted/ or wrong/, or delete it."
        graded_only = sum(bool(answer.passes_public) for answer in wrong)
        self.counts = Counts(
            1, len(accepted), len(wrong), graded_only, len(self.words.findings), killed, listed
        )

    def _examine(self, source: str, filename: str, seed: str | None = None) -> Report:
        answer = corpus.load_answer(source, self.exercise.short, filename)
        return self._report(answer, seed)

    def _report(self, answer: Any, seed: str | None = None) -> Report:
        beside = Beside(self.observer, answer)
        return examine(self.exercise.name, self.judge, beside, seed)

    def _cases(self) -> Iterator[str]:
        drawn = [self.judge.cases(random.Random(seed)) for seed in SEEDS]
        if len({tuple(case.title for case in cases) for cases in drawn}) > 1:
            yield "the titles or the number of its cases depend on the seed: make them fixed."
            return
        titles = [case.title for case in drawn[0]]
        for title in sorted({title for title in titles if titles.count(title) > 1}):
            yield f"two of its cases are called “{title}”: say what tells them apart."
        if self.exercise.kind != "mend" and not any("the task" in title for title in titles):
            yield (
                "none of its cases is the task's example: add that case, and say so in its "
                "title, as in “the task's example” or “two workers, as in the task”."
            )
        if not any(hidden_cases(self.exercise.name, self.judge, seed) for seed in SEEDS):
            yield "nothing in its cases is drawn from `rng`, so grading would run the public ones."
        if len(self.words.hints) < 3:
            yield f"it has {len(self.words.hints)} hints: write three or more in words.md."
        for name, wording in self.words.findings.items():
            if wording.hint is None:
                yield f"the finding {name} names no hint: end it with `Hint: ` and a number."

    def _stub(self) -> Iterator[str]:
        stub = self.stubs.get(self.exercise.short)
        if stub is None:
            yield f"the release has no solution cell {self.exercise.short}: run `course build`."
            return
        outcome = outcome_name(self._examine(stub, "<stub>").outcome)
        if outcome != "not-attempted":
            yield (
                f"the untouched stub comes out as {outcome}, but it must be not-attempted: "
                "put the whole body between ### BEGIN SOLUTION and ### END SOLUTION."
            )

    def _accepted(self, accepted: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        if len(accepted) < 2:
            yield f"{self.folder}/accepted needs two answers or more, with different approaches."
        right = [("the reference", self.reference)]
        right += [(str(answer.path), answer.source) for answer in accepted]
        for label, source in right:
            for seed in SEEDS:
                report = self._examine(source, label, seed)
                if not report.passed:
                    yield (
                        f"{label} must pass, but with seed {seed!r} it comes out as "
                        f"{outcome_name(report.outcome)}: {self._said(report)}"
                    )
                    break

    def _wrong(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        if len(wrong) < 3:
            yield f"{self.folder}/wrong needs three answers or more, one misconception each."
        for answer in wrong:
            report = self._examine(answer.source, str(answer.path))
            if answer.passes_public:
                if report.passed:
                    yield from self._found_at_grading(answer)
                else:
                    yield f"{answer.path} does not pass the public cases: drop its second line."
            elif report.passed:
                yield (
                    f"{answer.path} passes the public cases: add the case that it gets wrong, "
                    "or say in its second line `# passes-public: ` and why none can."
                )
            elif (outcome := outcome_name(report.outcome)) != answer.expected:
                yield (
                    f"{answer.path} must come out as {answer.expected}, but it comes out as "
                    f"{outcome}: {self._said(report)}"
                )

    def _found_at_grading(self, answer: corpus.KnownAnswer) -> Iterator[str]:
        for seed in SEEDS:
            report = self._examine(answer.source, str(answer.path), seed)
            outcome = outcome_name(report.outcome)
            if outcome != answer.expected:
                yield (
                    f"{answer.path} must come out as {answer.expected}, but with seed {seed!r} "
                    f"it comes out as {outcome}: {self._said(report)}"
                )
                return

    def _findings(self, wrong: Sequence[corpus.KnownAnswer]) -> Iterator[str]:
        expected = {answer.expected for answer in wrong}
        for name in sorted(expected - {*self.words.findings, *general_findings(), *_NO_FINDING}):
            yield f"words.md has no finding {name}, which a wrong answer names: write it."
        for name in self.words.findings:
            if not any(name == answer.expected and not answer.passes_public for answer in wrong):
                yield (
                    f"no wrong answer meets the finding {name} in the public cases: add one to "
                    f"{self.folder}/wrong, or drop the finding from words.md."
                )

    def _junk(self) -> Iterator[str]:
        for label, answer in junk_answers(self.observer):
            report = self._report(answer)
            outcome = outcome_name(report.outcome)
            if outcome in ("passed", "could-not-grade"):
                yield f"an answer that {label} comes out as {outcome}: {self._said(report)}"

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
        beside = Beside(self.observer, answer, seconds=_MUTANT_SECONDS)
        return examine(self.exercise.name, self.judge, beside).passed

    def _said(self, report: Report) -> str:
        return " / ".join(report_message(report, self.words).text.splitlines()[:2])

    def _listed_survivors(self) -> dict[str, str]:
        path = self.folder / "survivors.toml"
        if not path.exists():
            return {}
        return tomllib.loads(path.read_text(encoding="utf-8"))["survivors"]


def _ensure_devices() -> None:
    from course_utils.devices import current_lab, lab

    if current_lab() is None:
        lab(gpus=4)
