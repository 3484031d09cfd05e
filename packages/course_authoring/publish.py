"""A copy of the course for a class: without solutions of graded exercises and known answers."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import nbformat

from course_notebooks.safe_files import explained
from course_utils.errors import CourseError
from course_utils.manifest import Course, load_manifest
from course_utils.program.holes import HOLES
from course_utils.words import listed
from exercise_kit.reference import emptied

_AUTHORS_ONLY = ("answer.py", "survivors.toml")
_KNOWN_ANSWERS = ("accepted", "wrong")
_TESTS = ("tests", ".ci")  # they contain answers too
_NOTEBOOK = re.compile(r"assignments/source/[^/]+/[^/]+\.ipynb")


def publish(root: Path, folder: Path, doing: Callable[[str], None]) -> list[str]:
    """Copy the course to `folder`. Returns sentences on what was left out, and what remains.

    Checks run there as before: the right results of the cases, and the facts of wrong answers, are
    in the exercises' known.json. Cases with other values need the solution.

    Raises CourseError if `folder` is not empty, or the course is no git repository.
    """
    course = load_manifest(root / "course.toml")
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CourseError(f"{folder} is not empty. Name a new folder.")
    doing("Copying the course")
    names = [name for name in _files(root) if not _is_left_out(course, PurePosixPath(name))]
    with explained(folder):
        for name in names:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if _NOTEBOOK.fullmatch(name):
                target.write_text(_without_solutions(root / name), encoding="utf-8")
            else:
                shutil.copy(root / name, target)
    return _summary(course, folder)


def _files(root: Path) -> list[str]:
    """The files that git tracks, without a class's files and without history."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True)
    if listing.returncode:
        raise CourseError(
            f"{root} is not a git repository, so its files cannot be listed. Clone the course "
            "with git, and publish from the clone."
        )
    return [name for name in listing.stdout.split("\0") if (root / name).is_file()]


def _is_left_out(course: Course, path: PurePosixPath) -> bool:
    match path.parts:
        case (first, *_) if first in _TESTS:
            return True
        case ("assignments", "exercises", topic, name, part, *_):
            known = part in _AUTHORS_ONLY or part in _KNOWN_ANSWERS
            return known and course.task(f"{topic}.{name}") is None
    return False


def _without_solutions(path: Path) -> str:
    """A notebook with the starting text instead of solutions; its release is the same."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = emptied(cell.source)
    return f"{nbformat.writes(notebook)}\n"


def _summary(course: Course, folder: Path) -> list[str]:
    graded = {each.name for each in course.exercises}
    parts = sorted({hole.exercise for hole in HOLES} & graded)
    judges = sorted(
        ".".join(file.parent.parts[-2:])
        for file in (folder / "assignments" / "exercises").glob("*/*/judge.py")
    )
    return [
        f"{folder} has the course without the solutions of its {len(graded)} exercises, without "
        "known answers, tests and history.",
        "These files still show how to solve an exercise, since lessons and checks run them:",
        f"  notebooks/project, the finished program: {listed(parts)}",
        f"  the judge.py of {listed(judges)}",
    ]
