"""The folders of the exercises, loaded: assignments/exercises/TOPIC/EXERCISE/.

They are found as the package `exercises`, which stands on no search path: a file of an exercise
imports what its topic shares with `from ..observing import …` or `from ..judging import …`.
"""

import importlib
import sys
import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from course_utils.checking.contract import Judge, Observer
from course_utils.checking.words import Words, read_words
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root
from course_utils.nearest import nearest


@dataclass(frozen=True)
class ExerciseFolder:
    """One exercise. Its parts are loaded apart, so that a process may have the one without another.

    name: as in "tensors.move_batch".
    """

    name: str
    root: Path

    @property
    def path(self) -> Path:
        return self.root / "assignments" / "exercises" / Path(*self.name.split("."))

    @property
    def short(self) -> str:
        """The name of the function that solves it."""
        return self.name.partition(".")[2]

    @cached_property
    def observer(self) -> Observer:
        """What runs beside an answer: `observer` in observe.py."""
        return self._part("observe", "observer", Observer)

    @cached_property
    def judge(self) -> Judge:
        """What draws cases and judges facts: `judge` in judge.py."""
        return self._part("judge", "judge", Judge)

    @cached_property
    def words(self) -> Words:
        return read_words(self.path / "words.md")

    def module(self, name: str) -> ModuleType:
        """A Python file of the exercise, imported. Raises CourseError if it is missing."""
        file = self.path / f"{name}.py"
        if not file.is_file():
            raise CourseError(f"{file} is missing: write it; CONTRIBUTING.md says what it holds.")
        return importlib.import_module(f"{_package(self.root)}.{self.name}.{name}")

    def _part(self, module: str, name: str, kind: type) -> Any:
        part = getattr(self.module(module), name, None)
        if not isinstance(part, kind):
            raise CourseError(
                f"{self.path / module}.py has no `{name}` that is a {kind.__name__}: end it with "
                f"`{name} = …`."
            )
        return part


def exercise(name: str) -> ExerciseFolder:
    """An exercise of the course. Raises CourseError, with the nearest names, if there is none."""
    require_name(name)
    return _loaded(name)


@cache
def _loaded(name: str) -> ExerciseFolder:
    return ExerciseFolder(name, repository_root())


def exercise_names() -> list[str]:
    """Every exercise of the course, in the order of the manifest."""
    return [
        exercise.name
        for assignment in load_manifest().assignments
        for exercise in assignment.exercises
    ]


def require_name(name: object) -> None:
    """Raise CourseError, with the nearest names, unless `name` is an exercise of the course."""
    known = exercise_names()
    if name in known:
        return
    if not isinstance(name, str):
        raise CourseError(
            f"The first argument is the exercise's name, a string such as {known[0]!r}; "
            f"you gave an object of type {type(name).__name__}."
        )
    near = nearest(name, known)
    listed = "`course map 02`, in a terminal, lists those of lesson 02."
    advice = f"Did you mean {near!r}?" if near else listed
    raise CourseError(f"There is no exercise named {name!r}. {advice}")


@cache
def _package(root: Path) -> str:
    """Make the folder of all exercises a package, one for each course on this machine."""
    name = "exercises"
    if root != repository_root():
        name += f"_{zlib.crc32(str(root).encode()):08x}"
    package = ModuleType(name)
    package.__path__ = [str(root / "assignments" / "exercises")]
    sys.modules[name] = package
    return name
