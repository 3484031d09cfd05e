"""course.toml, the one ordered manifest of lessons, assignments and exercises, as types."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from course_utils.errors import CourseError
from course_utils.nearest import sentence, suggestion

KINDS = ("implement", "repair", "predict", "mend")

_NUMBER = (r"\d{2}", '"02"')
_CONCEPT = (r"C\d{3}", "C050")
_ERRATUM = (r"E\d{2,3}[a-z]?", "E02")


@dataclass(frozen=True)
class Exercise:
    """One exercise. `map` is its place in the content map, as in "X2.1"; `minutes` are a guess."""

    name: str
    title: str
    map: str
    kind: str
    points: int
    minutes: int

    @property
    def short(self) -> str:
        """The name without its topic: that of the function, and of its cells ("move_batch")."""
        return self.name.partition(".")[2]


@dataclass(frozen=True)
class Assignment:
    """An nbgrader assignment and its exercises, in order. `lesson` is a lesson's number."""

    name: str
    title: str
    lesson: str
    exercises: tuple[Exercise, ...]

    @property
    def topic(self) -> str:
        """The first part of its exercises' names, and their folder ("tensors")."""
        return self.name[3:]

    @property
    def points(self) -> int:
        """The most that one can get."""
        return sum(exercise.points for exercise in self.exercises)


@dataclass(frozen=True)
class Lesson:
    """A lesson. `prerequisites` are numbers of lessons, `assignment` is a name, if there is one.

    goal: what one can do after it; completes "afterwards you can", and may hold Markdown's code.
    """

    number: str
    name: str
    title: str
    goal: str
    minutes: int
    prerequisites: tuple[str, ...]
    assignment: str | None
    concepts: tuple[str, ...]
    errata: tuple[str, ...]

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


@dataclass(frozen=True)
class Appendix:
    """The page for errata that no lesson takes up. `page` is a file among the notebooks."""

    page: str
    errata: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """What a name stands for. notebooks: names, of a lesson, an assignment, or both."""

    lesson: Lesson
    assignment: Assignment | None
    exercises: tuple[Exercise, ...]
    notebooks: tuple[str, ...]

    def only_assignment(self) -> Assignment:
        """Raises CourseError if the lesson has none."""
        if self.assignment is None:
            raise CourseError(f"Lesson {self.lesson.number} has no assignment: name another one.")
        return self.assignment


@dataclass(frozen=True)
class Course:
    """The whole course, in order."""

    title: str
    version: str
    language: str
    lessons: tuple[Lesson, ...]
    appendix: Appendix | None
    assignments: tuple[Assignment, ...]

    def lesson(self, number: str) -> Lesson:
        """The lesson "02". Raises CourseError if there is none."""
        return _look_up("lesson", number, {lesson.number: lesson for lesson in self.lessons})

    def assignment(self, name: str) -> Assignment:
        """The assignment "02_tensors". Raises CourseError if there is none."""
        return _look_up("assignment", name, {entry.name: entry for entry in self.assignments})

    def exercise(self, name: str) -> Exercise:
        """The exercise "tensors.move_batch". Raises CourseError if there is none."""
        return self._placed(name)[1]

    def assignment_of(self, name: str) -> Assignment:
        """The assignment that has the exercise `name`. Raises CourseError if none has."""
        return self._placed(name)[0]

    def find(self, name: str) -> Part:
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

    def _parts(self) -> dict[str, Part]:
        """Every part by each of its names."""
        found: dict[str, Part] = {}
        for lesson in self.lessons:
            assignment = self.assignment(lesson.assignment) if lesson.assignment else None
            exercises = assignment.exercises if assignment else ()
            theirs = (assignment.name,) if assignment else ()
            both = Part(lesson, assignment, exercises, (lesson.notebook, *theirs))
            found[lesson.number] = both
            found[lesson.notebook] = replace(both, notebooks=(lesson.notebook,))
            if assignment is not None:
                whole = replace(both, notebooks=theirs)
                found[assignment.topic] = whole
                found[assignment.name] = both if assignment.name == lesson.notebook else whole
                found |= {each.name: replace(whole, exercises=(each,)) for each in exercises}
        return found

    def _placed(self, name: str) -> tuple[Assignment, Exercise]:
        return _look_up(
            "exercise",
            name,
            {
                exercise.name: (assignment, exercise)
                for assignment in self.assignments
                for exercise in assignment.exercises
            },
        )


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
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): put it there.") from error
    return _load(path, changed)


@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Course:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): make it readable.") from error
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8: save it in that encoding.") from error
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} is not TOML: {error}; correct that line.") from error
    return _course(_Entry(path, "at the top", tables))


class _Entry:
    """One table of the manifest. Each method takes a key out of it, or says what is wrong."""

    def __init__(self, path: Path, label: str, table: Mapping[str, Any]) -> None:
        self.path, self.label, self.table = path, label, table

    def wrong(self, what: str) -> CourseError:
        return CourseError(sentence(f"{self.path}, {self.label}: {what}"))

    def allow(self, *keys: str) -> None:
        """Raise CourseError for a key that is none of `keys`."""
        for key in self.table:
            if key not in keys:
                raise self.wrong(f"the key {key} is unknown; {suggestion(key, keys)}")

    def text(self, key: str, pattern: str = r"(?s).*\S.*", like: str = "some text") -> str:
        value = self._get(key)
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise self.wrong(f"{key} is {value!r}; write a string such as {like}")
        return value

    def count(self, key: str) -> int:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self.wrong(f"{key} is {value!r}; write a whole number, 1 or more")
        return value

    def ids(self, key: str, pattern: str, like: str) -> tuple[str, ...]:
        values = self._get(key)
        if not isinstance(values, list):
            raise self.wrong(f'{key} is {values!r}; write a list such as ["{like}"]')
        for value in values:
            if not isinstance(value, str) or not re.fullmatch(pattern, value):
                raise self.wrong(f'{key} has {value!r}; write an id such as "{like}"')
            if values.count(value) > 1:
                raise self.wrong(f"{key} has {value} twice; remove one")
        return tuple(values)

    def entry(self, key: str) -> "_Entry":
        value = self._get(key)
        if not isinstance(value, dict):
            raise self.wrong(f"{key} is {value!r}; write it as a table, [{key}]")
        return _Entry(self.path, f"[{key}]", value)

    def entries(self, key: str, singular: str, named_by: str) -> "list[_Entry]":
        values = self._get(key)
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise self.wrong(f"{key} is {values!r}; write it as tables, [[{key}]]")
        return [
            _Entry(self.path, f"{singular} {table.get(named_by, f'number {position}')}", table)
            for position, table in enumerate(values, 1)
        ]

    def _get(self, key: str) -> Any:
        if key not in self.table:
            raise self.wrong(f"{key} is missing; add it")
        return self.table[key]


def _course(file: _Entry) -> Course:
    file.allow("course", "lessons", "appendix", "assignments")
    head = file.entry("course")
    head.allow("title", "version", "language")
    assignments = file.entries("assignments", "assignment", "name")
    lessons = file.entries("lessons", "lesson", "number")
    course = Course(
        title=head.text("title"),
        version=head.text("version", like='"0.1"'),
        language=head.text("language", r"[a-z]{2}(-[A-Z]{2})?", '"en"'),
        lessons=_distinct(lessons, _lesson, lambda lesson: lesson.number, "number"),
        appendix=_appendix(file.entry("appendix")) if "appendix" in file.table else None,
        assignments=_distinct(assignments, _assignment, lambda entry: entry.name, "name"),
    )
    _check_references(course, lessons, assignments)
    if course.appendix:
        _check_appendix(course, course.appendix, file.entry("appendix"))
    return course


def _lesson(entry: _Entry) -> Lesson:
    entry.allow(*Lesson.__dataclass_fields__)
    return Lesson(
        number=entry.text("number", *_NUMBER),
        name=entry.text("name", r"[a-z][a-z0-9_]*", '"tensors_on_devices"'),
        title=entry.text("title"),
        goal=entry.text("goal"),
        minutes=entry.count("minutes"),
        prerequisites=entry.ids("prerequisites", r"\d{2}", "01"),
        assignment=entry.text("assignment") if "assignment" in entry.table else None,
        concepts=entry.ids("concepts", *_CONCEPT),
        errata=entry.ids("errata", *_ERRATUM),
    )


def _appendix(entry: _Entry) -> Appendix:
    entry.allow(*Appendix.__dataclass_fields__)
    return Appendix(
        page=entry.text("page", r"[a-z][a-z0-9_]*\.md", '"if_you_come_from_these_notes.md"'),
        errata=entry.ids("errata", *_ERRATUM),
    )


def _assignment(entry: _Entry) -> Assignment:
    entry.allow(*Assignment.__dataclass_fields__)
    name = entry.text("name", r"\d{2}_[a-z][a-z0-9_]*", '"02_tensors"')
    exercises = entry.entries("exercises", "exercise", "name")
    assignment = Assignment(
        name=name,
        title=entry.text("title"),
        lesson=entry.text("lesson", r"\d{2}", '"02"'),
        exercises=_distinct(exercises, _exercise, lambda exercise: exercise.name, "name"),
    )
    for exercise, written in zip(assignment.exercises, exercises, strict=True):
        if exercise.name != f"{assignment.topic}.{exercise.short}":
            should = f"{assignment.topic}.{exercise.short}"
            raise written.wrong(f'it belongs to assignment {name}; call it "{should}"')
    return assignment


def _exercise(entry: _Entry) -> Exercise:
    entry.allow(*Exercise.__dataclass_fields__)
    kind = entry.text("kind")
    if kind not in KINDS:
        raise entry.wrong(f"the kind {kind} is unknown; {suggestion(kind, KINDS)}")
    return Exercise(
        name=entry.text("name", r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*", '"tensors.move_batch"'),
        title=entry.text("title"),
        map=entry.text("map", r"X\d+\.\d+", '"X2.1"'),
        kind=kind,
        points=entry.count("points"),
        minutes=entry.count("minutes"),
    )


def _check_references(course: Course, lessons: list[_Entry], assignments: list[_Entry]) -> None:
    """Raise CourseError unless lessons and assignments refer to each other, and to what exists."""
    by_number = {lesson.number: lesson for lesson in course.lessons}
    by_name = {assignment.name: assignment for assignment in course.assignments}
    for lesson, entry in zip(course.lessons, lessons, strict=True):
        for number in lesson.prerequisites:
            if number not in by_number:
                hint = suggestion(number, by_number)
                raise entry.wrong(f"the prerequisite {number} is no lesson; {hint}")
            if number >= lesson.number:
                raise entry.wrong(f"the prerequisite {number} is no earlier lesson; remove it")
        if lesson.assignment is not None and lesson.assignment not in by_name:
            hint = suggestion(lesson.assignment, by_name)
            raise entry.wrong(f"the assignment {lesson.assignment} is unknown; {hint}")
    for assignment, entry in zip(course.assignments, assignments, strict=True):
        if assignment.lesson not in by_number:
            hint = suggestion(assignment.lesson, by_number)
            raise entry.wrong(f"the lesson {assignment.lesson} is unknown; {hint}")
        if by_number[assignment.lesson].assignment != assignment.name:
            raise entry.wrong(
                f"lesson {assignment.lesson} does not name it; "
                f'write assignment = "{assignment.name}" there'
            )


def _check_appendix(course: Course, appendix: Appendix, entry: _Entry) -> None:
    """Raise CourseError if a lesson takes up an erratum of the appendix, too."""
    for lesson in course.lessons:
        if both := set(lesson.errata) & set(appendix.errata):
            raise entry.wrong(f"lesson {lesson.number} has {min(both)}, too; keep it in one place")


_Read = TypeVar("_Read")


def _distinct(
    entries: Iterable[_Entry],
    read: Callable[[_Entry], _Read],
    name_of: Callable[[_Read], str],
    key: str,
) -> tuple[_Read, ...]:
    """Read all `entries`. Raises CourseError if two of them have the same name."""
    found: dict[str, _Read] = {}
    for entry in entries:
        value = read(entry)
        if name_of(value) in found:
            raise entry.wrong(f"an earlier one has that {key} too; rename or remove one")
        found[name_of(value)] = value
    return tuple(found.values())


def _look_up(what: str, name: str, known: Mapping[str, _Read]) -> _Read:
    if name not in known:
        hint = suggestion(name, known, "`course map TOPIC`")
        raise CourseError(sentence(f"There is no {what} {name}; {hint}"))
    return known[name]


def _without_file(name: str) -> str:
    """`name` as the manifest has it: of a notebook's path the stem, of a number two digits."""
    stem = re.split(r"[/\\]", name.rstrip("/\\"))[-1].removesuffix(".ipynb").removesuffix(".py")
    return stem.zfill(2) if stem.isdecimal() else stem
