"""The types of course.toml: lessons, assignments and exercises."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AwareDatetime, ConfigDict, Field
from pydantic.dataclasses import dataclass

from course_utils.errors import CourseError
from course_utils.nearest import sentence, suggestion

Solutions = Literal["always", "after the due date", "never"]
SOLUTIONS: tuple[Solutions, ...] = get_args(Solutions)
Kind = Literal["write", "fix", "diagnose", "measure", "predict"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_Entry = TypeVar("_Entry")

# The examples are quoted in error messages.
_Text = Annotated[str, Field(pattern=r"\S", examples=["some text"])]
_Number = Annotated[str, Field(pattern=r"^\d{2}$", examples=['"02"'])]
_Count = Annotated[int, Field(strict=True, ge=1)]
_Concept = Annotated[str, Field(pattern=r"^C\d{3}$")]
_Time = Annotated[AwareDatetime | None, Field(strict=True, examples=["2026-11-20T18:00:00+01:00"])]
_Errata = Annotated[
    tuple[Annotated[str, Field(pattern=r"^E\d{2,3}[a-z]?$")], ...], Field(examples=['"E02"'])
]
_ExerciseName = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$", examples=['"tensors.move_batch"'])
]

_NO_OTHER_KEYS = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class ExerciseEntry:
    """One exercise. `map` is its place in the content map, as in "X2.1"; `minutes` an estimate."""

    name: _ExerciseName
    title: _Text
    map: Annotated[str, Field(pattern=r"^X\d+\.\d+$", examples=['"X2.1"'])]
    kind: Kind
    points: _Count
    minutes: _Count

    @property
    def short(self) -> str:
        """The name without its topic ("move_batch"): the name of the function and of its cells."""
        return self.name.partition(".")[2]


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class Assignment:
    """An nbgrader assignment and its exercises, in order. `lesson` is a lesson's number.

    due: the due date, after which solutions may be shown; grading takes the gradebook's.
    """

    name: Annotated[str, Field(pattern=r"^\d{2}_[a-z][a-z0-9_]*$", examples=['"02_tensors"'])]
    title: _Text
    lesson: _Number
    exercises: tuple[ExerciseEntry, ...]
    due: _Time = None

    @property
    def topic(self) -> str:
        """The first part of the exercises' names, which is also their folder ("tensors")."""
        return self.name[3:]

    @property
    def points(self) -> int:
        """The sum of the points of its exercises."""
        return sum(exercise.points for exercise in self.exercises)


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class LessonTask:
    """A small exercise inside a lesson: checked like any other, without points.

    done: one or two sentences on what a learner who passed it has done and understood.
    """

    name: _ExerciseName
    title: _Text
    done: _Text

    @property
    def short(self) -> str:
        """The name without its topic: the name of the function."""
        return self.name.partition(".")[2]


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class Lesson:
    """A lesson. `prerequisites` are numbers of lessons; `assignment` is a name or None.

    goal: the end of the sentence "afterwards you can …"; may contain Markdown code.
    """

    number: _Number
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", examples=['"tensors_on_devices"'])]
    title: _Text
    goal: _Text
    minutes: _Count
    prerequisites: Annotated[tuple[_Number, ...], Field(examples=['"01"'])]
    concepts: Annotated[tuple[_Concept, ...], Field(examples=['"C050"'])]
    errata: _Errata
    assignment: _Text | None = None
    tasks: tuple[LessonTask, ...] = ()

    @property
    def notebook(self) -> str:
        """The name of its notebook, without ending ("02_tensors_on_devices")."""
        return f"{self.number}_{self.name}"

    @property
    def time(self) -> str:
        """Its length in words, rounded to a quarter of an hour ("1¼ hours")."""
        hours, quarters = divmod(max(1, round(self.minutes / 15)), 4)
        amount = f"{hours or ''}{('', '¼', '½', '¾')[quarters]}"
        return f"{amount} hour" if hours + quarters / 4 <= 1 else f"{amount} hours"


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class Appendix:
    """The page for errata that are in no lesson. `page` is a file in notebooks/."""

    page: Annotated[
        str, Field(pattern=r"^[a-z][a-z0-9_]*\.md$", examples=['"if_you_come_from_these_notes.md"'])
    ]
    errata: _Errata


@dataclass(frozen=True)
class CoursePart:
    """A part of the course. notebooks: names of its lesson, its assignment, or both."""

    lesson: Lesson
    assignment: Assignment | None
    exercises: tuple[ExerciseEntry, ...]
    notebooks: tuple[str, ...]

    def only_assignment(self) -> Assignment:
        """The assignment. Raises CourseError if the lesson has none."""
        if self.assignment is None:
            raise CourseError(
                f"Lesson {self.lesson.number} has no assignment. Name another lesson."
            )
        return self.assignment


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class DroppedExercise:
    """An exercise of an earlier version. Learners who passed it then keep its points."""

    name: _ExerciseName
    points: _Count


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class RenamedPart:
    """The old and the new name of an assignment, an exercise or a lesson's notebook."""

    old: _Text
    new: _Text


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class _Head:
    title: _Text
    version: Annotated[str, Field(pattern=r"\S", examples=['"0.1"'])]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}(-[A-Z]{2})?$", examples=['"en"'])]
    solutions: Solutions = "always"


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class ManifestFile:
    """The tables of course.toml."""

    course: _Head
    lessons: tuple[Lesson, ...]
    assignments: tuple[Assignment, ...]
    appendix: Appendix | None = None
    dropped: tuple[DroppedExercise, ...] = ()
    renamed: tuple[RenamedPart, ...] = ()


TABLES: Mapping[str, Any] = {
    "course": _Head,
    "lessons": Lesson,
    "appendix": Appendix,
    "assignments": Assignment,
    "exercises": ExerciseEntry,
    "tasks": LessonTask,
    "dropped": DroppedExercise,
    "renamed": RenamedPart,
}


@dataclass(frozen=True)
class Course:
    """The whole course, in order.

    solutions: when learners may see solutions of assignments.
    renamed: by its old name, the name of an assignment, an exercise or a lesson's notebook.
    """

    title: str
    version: str
    language: str
    solutions: Solutions
    lessons: tuple[Lesson, ...]
    appendix: Appendix | None
    assignments: tuple[Assignment, ...]
    dropped: tuple[DroppedExercise, ...]
    renamed: Mapping[str, str]

    @property
    def exercises(self) -> tuple[ExerciseEntry, ...]:
        """The exercises of all assignments."""
        return tuple(each for assignment in self.assignments for each in assignment.exercises)

    @property
    def exercise_names(self) -> tuple[str, ...]:
        """The names of all exercises, and after them of the tasks inside lessons."""
        tasks = (each.name for lesson in self.lessons for each in lesson.tasks)
        return (*(each.name for each in self.exercises), *tasks)

    def task(self, name: str) -> LessonTask | None:
        """The task of this name inside a lesson, or None."""
        tasks = (each for lesson in self.lessons for each in lesson.tasks)
        return next((each for each in tasks if each.name == name), None)

    def lesson(self, number: str) -> Lesson:
        """The lesson "02". Raises CourseError if there is none."""
        return _look_up("lesson", number, {lesson.number: lesson for lesson in self.lessons})

    def assignment(self, name: str) -> Assignment:
        """The assignment "02_tensors". Raises CourseError if there is none."""
        return _look_up("assignment", name, {entry.name: entry for entry in self.assignments})

    def exercise(self, name: str) -> ExerciseEntry:
        """The exercise "tensors.move_batch". Raises CourseError if there is none."""
        return self._placed(name)[1]

    def assignment_of(self, name: str) -> Assignment:
        """The assignment of the exercise `name`. Raises CourseError if there is none."""
        return self._placed(name)[0]

    def find(self, name: str) -> CoursePart:
        """The part of the course that `name` stands for.

        It may be a number ("02", "2"), a lesson ("02_tensors_on_devices"), an assignment or its
        topic ("02_tensors", "tensors"), an exercise ("tensors.move_batch"), or a notebook's file.
        Raises CourseError for anything else.
        """
        found = self._parts()
        wanted = _without_file(name)
        wanted = self.renamed.get(wanted, wanted)
        if wanted not in found:
            topic = wanted.partition(".")[0]
            narrow = topic if "." in wanted and topic in found else ""
            hint = suggestion(wanted, found, f"`course map {narrow}".rstrip() + "`")
            raise CourseError(
                sentence(f"There is no lesson, assignment or exercise {name}; {hint}")
            )
        return found[wanted]

    def _parts(self) -> dict[str, CoursePart]:
        """Every part by each of its names."""
        found: dict[str, CoursePart] = {}
        for lesson in self.lessons:
            assignment = self.assignment(lesson.assignment) if lesson.assignment else None
            exercises = assignment.exercises if assignment else ()
            theirs = (assignment.name,) if assignment else ()
            both = CoursePart(lesson, assignment, exercises, (lesson.notebook, *theirs))
            found[lesson.number] = both
            found[lesson.notebook] = replace(both, notebooks=(lesson.notebook,))
            if assignment is not None:
                whole = replace(both, notebooks=theirs)
                found[assignment.topic] = whole
                found[assignment.name] = both if assignment.name == lesson.notebook else whole
                found |= {each.name: replace(whole, exercises=(each,)) for each in exercises}
            of_lesson = replace(both, assignment=None, exercises=(), notebooks=(lesson.notebook,))
            found |= {each.name: of_lesson for each in lesson.tasks}
        return found

    def _placed(self, name: str) -> tuple[Assignment, ExerciseEntry]:
        known = {each.name: (a, each) for a in self.assignments for each in a.exercises}
        return _look_up("exercise", name, known)


def _look_up(what: str, name: str, known: Mapping[str, _Entry]) -> _Entry:
    if name not in known:
        hint = suggestion(name, known, "`course map TOPIC`")
        raise CourseError(sentence(f"There is no {what} {name}; {hint}"))
    return known[name]


def _without_file(name: str) -> str:
    """`name` as the manifest writes it: the stem of a notebook's path; a number as two digits."""
    stem = re.split(r"[/\\]", name.rstrip("/\\"))[-1].removesuffix(".ipynb").removesuffix(".py")
    return stem.zfill(2) if stem.isdecimal() else stem
