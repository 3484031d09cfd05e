"""`RunReport`: the results of one run for a class, and statistics on them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime
from functools import cache, cached_property
from statistics import median

from course_grading.results import Graded, ProcessorSeconds, Saved, Verdict, Worlds
from course_utils.checking.exercises import place_of, require_name
from course_utils.checking.view import WORDS
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root
from course_utils.words import counted
from exercise_kit.errors import ExerciseError
from exercise_kit.words import Wording, Words, general_findings, read_words

BINS = 10
_TESTED = {"passed", "partial", "failed", "timed-out"}


@dataclass(frozen=True)
class FindingCount:
    """A finding, and the students whose answers had it.

    words: its text for students; None if the exercise does not have this finding any more.
    hint: the beginning of its hint.
    """

    name: str
    students: tuple[str, ...]
    words: Wording | None = None
    hint: str = ""

    @property
    def title(self) -> str:
        """The title of the finding, or its name."""
        return self.words.title if self.words else self.name


@dataclass(frozen=True)
class ExerciseSummary:
    """The results of a class in one exercise.

    kinds: kind of verdict → number of answers.
    odd: how many passed by a value that is no number of points (an own test).
    worlds: sentences on the cases on virtual and on real GPUs; "" without GPUs.
    error: with which error an own test failed most often, and how often.
    """

    name: str
    title: str
    max_points: float
    kinds: Mapping[str, int]
    odd: int
    findings: tuple[FindingCount, ...]
    worlds: str
    error: tuple[str, int]

    @property
    def short(self) -> str:
        """The name without its topic."""
        return self.name if "/" in self.name else self.name.partition(".")[2] or self.name

    @property
    def judged(self) -> int:
        """The number of answers that are neither held nor untouched."""
        return sum(self.kinds.values()) - self.kinds["held"] - self.kinds["not-attempted"]


@dataclass(frozen=True)
class RunReport:
    """One run over the submissions of an assignment.

    unchanged: the students with a result from an earlier run, who were not graded again.
    started: when the run began. wall: its wall-clock seconds.
    level: the name of the sandbox level.
    versions: of the software, as in {"torch": "2.13.0"}.
    saved: student → entry of the gradebook. Its points are shown, if it has some.
    missing: the students on the roster who handed in nothing.
    names: id of a student → name, if the gradebook has it.
    """

    assignment: str
    graded: tuple[Graded, ...]
    unchanged: frozenset[str] = frozenset()
    started: datetime = field(default_factory=datetime.now)
    wall: float = 0.0
    level: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    saved: Mapping[str, Saved] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def title(self) -> str:
        """The title of the assignment."""
        return titles(self.assignment)[0]

    @cached_property
    def students(self) -> tuple[Graded, ...]:
        """The results in order of student id, with the points from the gradebook."""
        ordered = sorted(self.graded, key=lambda each: each.student)
        return tuple(each.with_points(self.saved_of(each).points) for each in ordered)

    def saved_of(self, graded: Graded) -> Saved:
        """The gradebook's entry of a submission."""
        return self.saved.get(graded.student, Saved({}))

    def score(self, graded: Graded) -> float | None:
        """The points minus the penalty for late submission; None while an exercise is held."""
        raw = graded.points
        return None if raw is None else max(0.0, raw - self.saved_of(graded).penalty)

    @cached_property
    def anew(self) -> Mapping[str, tuple[str, ...]]:
        """Student graded again after a person gave points → the exercises concerned."""
        found = {each.student: self.saved_of(each).anew for each in self.students}
        return {student: names for student, names in found.items() if names}

    def called(self, student: str) -> str:
        """A student's id, with the name if it is known."""
        name = self.names.get(student)
        return f"{student} ({name})" if name else student

    @cached_property
    def held(self) -> tuple[Graded, ...]:
        """The results with a held exercise."""
        return tuple(each for each in self.students if each.held)

    @cached_property
    def died(self) -> tuple[tuple[str, Verdict], ...]:
        """The students whose answers ended their own process, with the verdicts."""
        return tuple((g.student, v) for g in self.students for v in g.verdicts if v.kind == "died")

    @cached_property
    def flagged(self) -> tuple[Graded, ...]:
        """The results with flagged lines."""
        return tuple(each for each in self.students if each.flags)

    @cached_property
    def shared_runs(self) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
        """Exercise, number of a run, and students, where several students chose the same run."""
        students: dict[tuple[str, int], list[str]] = {}
        for graded in self.students:
            for verdict in graded.verdicts:
                if verdict.run is not None:
                    students.setdefault((verdict.exercise, verdict.run), []).append(graded.student)
        return tuple((*run, tuple(who)) for run, who in students.items() if len(who) > 1)

    @property
    def max_points(self) -> float:
        """The maximum points of the assignment."""
        return max((each.max_points for each in self.graded), default=0.0)

    @cached_property
    def known(self) -> tuple[float, ...]:
        """The known scores, from low to high."""
        scores = (self.score(each) for each in self.students)
        return tuple(sorted(score for score in scores if score is not None))

    @property
    def median(self) -> float | None:
        """The median of the known scores; None if there are none."""
        return median(self.known) if self.known else None

    @cached_property
    def distribution(self) -> tuple[tuple[float, float, int], ...]:
        """Lower bound, upper bound and count of `BINS` equal bins; the last includes its end."""
        step = self.max_points / BINS
        counts = Counter(min(int(sum_ / step), BINS - 1) if step else 0 for sum_ in self.known)
        return tuple((at * step, (at + 1) * step, counts[at]) for at in range(BINS))

    @property
    def spent(self) -> ProcessorSeconds:
        """The processor time of all submissions graded in this run."""
        new = [each.spent for each in self.graded if each.student not in self.unchanged]
        return ProcessorSeconds(*map(sum, zip(*map(astuple, new), strict=True)))

    @cached_property
    def exercises(self) -> tuple[ExerciseSummary, ...]:
        """The results by exercise, in the order of the assignment."""
        verdicts: dict[str, dict[str, Verdict]] = {}
        for graded in self.students:
            for verdict in graded.verdicts:
                verdicts.setdefault(verdict.exercise, {})[graded.student] = verdict
        known = titles(self.assignment)[1]
        return tuple(
            _summary(name, known.get(name.partition(".")[2], name), found)
            for name, found in verdicts.items()
        )

    @cached_property
    def own_tests(self) -> tuple[str, ...]:
        """The tests of the instructor's own, which ran in the submissions' processes."""
        verdicts = (verdict for each in self.students for verdict in each.verdicts)
        return tuple(dict.fromkeys(v.exercise for v in verdicts if v.own and v.kind in _TESTED))

    @cached_property
    def manual(self) -> tuple[Graded, ...]:
        """The results with questions that only a person grades, and has not graded yet."""
        return tuple(
            each
            for each in self.students
            if any(v.kind == "manual" and v.points is None for v in each.verdicts)
        )

    @staticmethod
    def verdicts_of(graded: Graded) -> dict[str, Verdict]:
        """Exercise → verdict."""
        return {verdict.exercise: verdict for verdict in graded.verdicts}


def titles(assignment: str) -> tuple[str, dict[str, str]]:
    """The title of an assignment, and the titles of its exercises by short name.

    For an assignment that the course does not have: its name, and no exercises.
    """
    try:
        found = load_manifest().assignment(assignment)
    except CourseError:
        return assignment, {}
    return found.title, {exercise.short: exercise.title for exercise in found.exercises}


def _summary(name: str, title: str, verdicts: Mapping[str, Verdict]) -> ExerciseSummary:
    """The results of one exercise. verdicts: student → verdict."""
    students: dict[str, list[str]] = {}
    for student, verdict in verdicts.items():
        if verdict.kind == "finding":
            students.setdefault(verdict.finding, []).append(student)
    failed = [verdict.text for verdict in verdicts.values() if verdict.kind == "failed"]
    errors = Counter(re.findall(r"^Error: (.+)$", "\n".join(failed), re.MULTILINE))
    findings = [_finding(name, finding, tuple(who)) for finding, who in students.items()]
    return ExerciseSummary(
        name,
        title,
        max(verdict.max_points for verdict in verdicts.values()),
        Counter(verdict.kind for verdict in verdicts.values()),
        sum(verdict.kind == "passed" and bool(verdict.why) for verdict in verdicts.values()),
        tuple(sorted(findings, key=lambda each: (-len(each.students), each.name))),
        _worlds([verdict.worlds for verdict in verdicts.values()]),
        next(iter(errors.most_common(1)), ("", 0)),
    )


def _worlds(found: Sequence[Worlds]) -> str:
    """Sentences on where the cases of an exercise ran. found: one for each answer."""
    most = max(found, key=lambda each: (each.real, each.virtual))
    text = f"{counted(most.virtual, 'case')} on virtual GPUs" if most.virtual else ""
    if most.gpus:
        text += f", {most.real or 'none'} of them on {most.gpus} as well"
    text = text and f"{text}."
    if troubles := [each.trouble for each in found if each.trouble]:
        text += f" {counted(len(troubles), 'answer')} not compared there; the first: {troubles[0]}."
    return text


def _finding(name: str, finding: str, students: tuple[str, ...]) -> FindingCount:
    try:
        words = _words(name)
        wording = words.finding(finding)
    except ExerciseError:  # the exercise has changed since then
        return FindingCount(finding, students)
    hint = words.hints[wording.hint - 1] if wording.hint else ""
    return FindingCount(finding, students, wording, " ".join(hint.split("\n\n")[0].split()))


@cache
def _words(name: str) -> Words:
    """The words of an exercise, read without loading it, because that would load torch."""
    require_name(name)
    return read_words(place_of(repository_root(), name) / "words.md", general_findings(WORDS))
