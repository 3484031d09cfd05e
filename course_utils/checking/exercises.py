"""The exercises of this course, by their names."""

from functools import cache
from pathlib import Path

from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root
from course_utils.nearest import nearest
from exercise_kit.folder import Exercise
from exercise_kit.world import World


def exercise(name: str) -> Exercise:
    """An exercise of the course, by its name or a former one.

    Raises CourseError, with the nearest names, if there is none.
    """
    name = current_name(name)
    require_name(name)
    return exercise_in(repository_root(), name)


def current_name(name: str) -> str:
    """The name in this version of an exercise that an earlier version may have called `name`."""
    return load_manifest().renamed.get(name, name) if isinstance(name, str) else name


@cache
def exercise_in(root: Path, name: str) -> Exercise:
    """The exercise of this name in the course at `root`; its folder may be missing."""
    return Exercise(name, folder_of_all(root), _world())


@cache
def _world() -> World:
    from course_utils.checking.world import TorchWorld  # imports torch: not needed for names alone

    return TorchWorld()


def place_of(root: Path, name: str) -> Path:
    """The folder of an exercise in the course at `root`."""
    return folder_of_all(root) / Path(*name.split("."))


def folder_of_all(root: Path) -> Path:
    """The folder of all exercises in the course at `root`."""
    return root / "assignments" / "exercises"


def exercise_names() -> list[str]:
    """Every exercise of the course, in the order of the manifest; the lessons' tasks come last."""
    return list(load_manifest().exercise_names)


def require_name(name: object) -> None:
    """Raise CourseError, with the nearest names, unless `name` is an exercise of the course."""
    known = exercise_names()
    if name in known:
        return
    if not isinstance(name, str):
        raise CourseError(
            f"The first argument has the type {type(name).__name__}. Write the exercise's name, "
            f"a string such as {known[0]!r}."
        )
    near = nearest(name, known)
    listed = "In a terminal, `course map 02` lists the exercises of lesson 02."
    advice = f"Did you mean {near!r}?" if near else listed
    raise CourseError(f"There is no exercise named {name!r}. {advice}")
