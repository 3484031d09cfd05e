"""course.toml, the one ordered manifest of lessons, assignments and exercises, as types."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AwareDatetime, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails

from course_utils.errors import CourseError
from course_utils.manifest_problems import problems
from course_utils.nearest import sentence, suggestion

Solutions = Literal["always", "after the due date", "never"]
SOLUTIONS: tuple[Solutions, ...] = get_args(Solutions)
Kind = Literal["write", "fix", "diagnose", "measure", "predict"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_Entry = TypeVar("_Entry")

# Examples are what a mistake is told to look like.
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
    """One exercise. `map` is its place in the content map, as in "X2.1"; `minutes` are a guess."""

    name: _ExerciseName
    title: _Text
    map: Annotated[str, Field(pattern=r"^X\d+\.\d+$", examples=['"X2.1"'])]
    kind: Kind
    points: _Count
    minutes: _Count

    @property
    def short(self) -> str:
        """The name without its topic: that of the function, and of its cells ("move_batch")."""
        return self.name.partition(".")[2]


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class Assignment:
    """An nbgrader assignment and its exercises, in order. `lesson` is a lesson's number.

    due: when it has to be handed in, for solutions that are shown afterwards; grading takes the
        gradebook's.
    """

    name: Annotated[str, Field(pattern=r"^\d{2}_[a-z][a-z0-9_]*$", examples=['"02_tensors"'])]
    title: _Text
    lesson: _Number
    exercises: tuple[ExerciseEntry, ...]
    due: _Time = None

    @property
    def topic(self) -> str:
        """The first part of its exercises' names, and their folder ("tensors")."""
        return self.name[3:]

    @property
    def points(self) -> int:
        """The most that one can get."""
        return sum(exercise.points for exercise in self.exercises)


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class LessonTask:
    """A small exercise inside a lesson, checked like any other, for no points.

    done: what a learner who passed it has done and understood, in a sentence or two.
    """

    name: _ExerciseName
    title: _Text
    done: _Text

    @property
    def short(self) -> str:
        """The name without its topic: that of the function."""
        return self.name.partition(".")[2]


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class Lesson:
    """A lesson. `prerequisites` are numbers of lessons, `assignment` is a name, if there is one.

    goal: what one can do after it; completes "afterwards you can", and may hold Markdown's code.
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
        """Its minutes in words, to a quarter of an hour ("1¼ hours")."""
        hours, quarters = divmod(max(1, round(self.minutes / 15)), 4)
        amount = f"{hours or ''}{('', '¼', '½', '¾')[quarters]}"
        return f"{amount} hour" if hours + quarters / 4 <= 1 else f"{amount} hours"


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class Appendix:
    """The page for errata that no lesson takes up. `page` is a file among the notebooks."""

    page: Annotated[
        str, Field(pattern=r"^[a-z][a-z0-9_]*\.md$", examples=['"if_you_come_from_these_notes.md"'])
    ]
    errata: _Errata


@dataclass(frozen=True)
class CoursePart:
    """What a name stands for. notebooks: names, of a lesson, an assignment, or both."""

    lesson: Lesson
    assignment: Assignment | None
    exercises: tuple[ExerciseEntry, ...]
    notebooks: tuple[str, ...]

    def only_assignment(self) -> Assignment:
        """Raises CourseError if the lesson has none."""
        if self.assignment is None:
            raise CourseError(f"Lesson {self.lesson.number} has no assignment: name another one.")
        return self.assignment


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class DroppedExercise:
    """An exercise that an earlier version had. Whoever passed it then keeps its points."""

    name: _ExerciseName
    points: _Count


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class _Head:
    title: _Text
    version: Annotated[str, Field(pattern=r"\S", examples=['"0.1"'])]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}(-[A-Z]{2})?$", examples=['"en"'])]
    solutions: Solutions = "always"


@dataclass(frozen=True, config=_NO_OTHER_KEYS)
class _File:
    """The tables of the file."""

    course: _Head
    lessons: tuple[Lesson, ...]
    assignments: tuple[Assignment, ...]
    appendix: Appendix | None = None
    dropped: tuple[DroppedExercise, ...] = ()


_TABLES: Mapping[str, Any] = {
    "course": _Head,
    "lessons": Lesson,
    "appendix": Appendix,
    "assignments": Assignment,
    "exercises": ExerciseEntry,
    "tasks": LessonTask,
    "dropped": DroppedExercise,
}


@dataclass(frozen=True)
class Course:
    """The whole course, in order. solutions: when learners may see those of the assignments."""

    title: str
    version: str
    language: str
    solutions: Solutions
    lessons: tuple[Lesson, ...]
    appendix: Appendix | None
    assignments: tuple[Assignment, ...]
    dropped: tuple[DroppedExercise, ...]

    @property
    def exercises(self) -> tuple[ExerciseEntry, ...]:
        """Those of all assignments."""
        return tuple(each for assignment in self.assignments for each in assignment.exercises)

    @property
    def exercise_names(self) -> tuple[str, ...]:
        """Those of all exercises, and after them those of the lessons' tasks."""
        tasks = (each.name for lesson in self.lessons for each in lesson.tasks)
        return (*(each.name for each in self.exercises), *tasks)

    def task(self, name: str) -> LessonTask | None:
        """The task of this name inside a lesson, if it is one."""
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
        """The assignment that has the exercise `name`. Raises CourseError if none has."""
        return self._placed(name)[0]

    def find(self, name: str) -> CoursePart:
        """The part of the course that people call `name`.

        It may be a number ("02", "2"), a lesson ("02_tensors_on_devices"), an assignment or its
        topic ("02_tensors", "tensors"), an exercise ("tensors.move_batch"), or a notebook's file.
        Raises CourseError for anything else.
        """
        found = self._parts()
        wanted = _without_file(name)
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


def repository_root() -> Path:
    """The folder that holds course.toml, next to the package. Raises CourseError without one."""
    root = Path(__file__).resolve().parent.parent
    if not (root / "course.toml").is_file():
        raise CourseError(
            f"There is no course.toml in {root}: the course runs from its own folder, so get the "
            "whole repository and install it from there with `pip install -e .`."
        )
    return root


def load_manifest(path: Path | None = None) -> Course:
    """Read the manifest: the repository's own, or the one at `path`; again only if it changed.

    Raises CourseError that names the file, the entry, what was wrong, and what to do.
    """
    path = path or repository_root() / "course.toml"
    try:
        return _read(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): put it there.") from error
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8: save it in that encoding.") from error


@lru_cache(maxsize=8)
def _read(path: Path, text: str) -> Course:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} is not TOML: {error}; correct that line.") from error
    try:
        file = _File(**tables)
    except ValidationError as error:
        # Who misspells a key misses it as well: an unknown one says more.
        worst = min(error.errors(), key=lambda each: each["type"] != "unexpected_keyword_argument")
        raise CourseError(sentence(f"{path}, {_told(tables, worst)}")) from None
    course = Course(
        **asdict(file.course),
        lessons=file.lessons,
        appendix=file.appendix,
        assignments=file.assignments,
        dropped=file.dropped,
    )
    for problem in problems(course):
        raise CourseError(sentence(f"{path}, {problem}"))
    return course


def _told(tables: Any, error: ErrorDetails) -> str:
    """Which entry is wrong, what is wrong with it, and what to do."""
    *path, last = error["loc"]
    in_list = isinstance(last, int)
    key = str(path.pop() if in_list else last)
    kind: Any = _File
    label, table = "at the top", tables
    for step in path:
        table = table[step]
        if isinstance(step, str):
            name, kind, label = step, _TABLES[step], f"[{step}]"
        else:
            called = table.get("number" if name == "lessons" else "name", f"number {step + 1}")
            label = f"{name.removesuffix('s')} {called}"
    known = kind.__pydantic_fields__
    given = error["input"]
    example = ((known[key].examples if key in known else None) or [""])[0]
    match error["type"]:
        case "missing":
            what = f"{key} is missing; add it"
        case "unexpected_keyword_argument":
            what = f"the key {key} is unknown; {suggestion(key, known)}"
        case "literal_error":
            hint = suggestion(str(given), SOLUTIONS if key == "solutions" else KINDS)
            what = f"the {key} {given} is unknown; {hint}"
        case "int_type" | "greater_than_equal":
            what = f"{key} is {given!r}; write a whole number, 1 or more"
        case "string_type" | "string_pattern_mismatch" if in_list:
            what = f"{key} has {given!r}; write an id such as {example}"
        case "string_type" | "string_pattern_mismatch":
            what = f"{key} is {given!r}; write a string such as {example}"
        case "datetime_type" | "timezone_aware":
            what = f"{key} is {given!s}; write a time with its zone, such as {example}"
        case "tuple_type" if example:
            what = f"{key} is {given!r}; write a list such as [{example}]"
        case _:
            several = key in ("lessons", "assignments", "exercises", "tasks")
            form = f"tables, [[{key}]]" if several else f"a table, [{key}]"
            what = f"{key} is {table[key]!r}; write it as {form}"
    return f"{label}: {what}"


def _look_up(what: str, name: str, known: Mapping[str, _Entry]) -> _Entry:
    if name not in known:
        hint = suggestion(name, known, "`course map TOPIC`")
        raise CourseError(sentence(f"There is no {what} {name}; {hint}"))
    return known[name]


def _without_file(name: str) -> str:
    """`name` as the manifest has it: of a notebook's path the stem, of a number two digits."""
    stem = re.split(r"[/\\]", name.rstrip("/\\"))[-1].removesuffix(".ipynb").removesuffix(".py")
    return stem.zfill(2) if stem.isdecimal() else stem
