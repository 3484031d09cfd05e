"""The files of a workspace: where they are, relative to it, and reading one.

Imports nothing heavy: `course lab` asks here each time.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

from course_notebooks.safe_files import explained
from course_notebooks.source import source_of
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, Lesson, load_manifest

NEW, OLD = "new", "old"
"""What is in the name of a new version beside a learner's file, and of a file as it was before."""


def workspace_of(root: Path) -> Path:
    """`root`/workspace, or what the environment variable COURSE_WORKSPACE names."""
    return Path(os.environ.get("COURSE_WORKSPACE") or root / "workspace").resolve()


def existing_workspace(root: Path, named: Path | None = None) -> Path:
    """The one that is `named`, or the usual one. Raises CourseError if it is not there."""
    workspace = named or workspace_of(root)
    if not (workspace / ".course").is_dir():
        raise CourseError(
            f"There is no workspace in {workspace}: `make lab` makes one, and the environment "
            "variable COURSE_WORKSPACE names another folder."
        )
    return workspace


def lesson_file(lesson: Lesson) -> str:
    """The path of a lesson's notebook in a workspace."""
    return f"lessons/{lesson.notebook}.ipynb"


def assignment_file(assignment: Assignment) -> str:
    """The path of an assignment's notebook in a workspace."""
    return f"assignments/{assignment.name}/{assignment.name}.ipynb"


def title_of(root: Path, path: str) -> str:
    """What a file of a workspace is called in the course; its path, where it is neither lesson nor
    assignment."""
    course = load_manifest(root / "course.toml")
    titles = {lesson_file(each): f"Lesson {each.number}, {each.title}" for each in course.lessons}
    titles |= {assignment_file(each): f"Assignment {each.name}" for each in course.assignments}
    return titles.get(path, path)


def pages(root: Path) -> list[tuple[str, str]]:
    """Title and file of each page that lies beside the lessons, such as the glossary."""
    found = []
    for page in sorted((root / "notebooks").glob("*.md")):
        heading = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        found.append((heading[1] if heading else page.stem, f"lessons/{page.name}"))
    return found


def read_copy(workspace: Path, path: str) -> bytes:
    """The learner's copy of the file at `path`. Raises CourseError if it cannot be read."""
    file = workspace / path
    if not file.is_file():
        raise CourseError(f"{path} is not there: `course lab` puts it there.")
    with explained(file):
        return file.read_bytes()


def require_unsaved(workspace: Path, path: str, before: bytes) -> None:
    """Raise CourseError if the file is another one than when a change of it was planned."""
    if read_copy(workspace, path) != before:
        raise CourseError(f"{path} was saved meanwhile: run this once more.")


def files_called(root: Path, workspace: Path, name: str) -> list[str]:
    """The files of a workspace that `name` stands for, relative to it.

    name: a lesson, an assignment, an exercise or a number, or the path of a file. Raises
    CourseError, with the nearest names, if there is none.
    """
    for path in (Path(name), workspace / name):
        if path.is_file() and path.resolve().is_relative_to(workspace.resolve()):
            return [path.resolve().relative_to(workspace.resolve()).as_posix()]
    found = load_manifest(root / "course.toml").find(name)
    files = {found.lesson.notebook: lesson_file(found.lesson)}
    if found.assignment:
        files[found.assignment.name] = assignment_file(found.assignment)
    return [files[each] for each in found.notebooks]


def same_work(one: bytes, other: bytes) -> bool:
    """Do two files hold the same, but for what running a notebook leaves in it?"""
    if one == other:
        return True
    try:
        return _written(json.loads(one.decode())) == _written(json.loads(other.decode()))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _written(notebook: Any) -> list[tuple[str, str, str]]:
    """What a person writes of a notebook: the kinds, ids and texts of its cells."""
    return [(cell["cell_type"], cell["id"], source_of(cell)) for cell in notebook["cells"]]
