"""The files of a workspace: their relative paths, and reading one.

Its imports are fast: every `course lab` uses it.
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
"""The word in the name of a new version next to a learner's file, and of an old file."""


def workspace_of(root: Path) -> Path:
    """The path of the workspace: COURSE_WORKSPACE of the environment, or `root`/workspace."""
    return Path(os.environ.get("COURSE_WORKSPACE") or root / "workspace").resolve()


def existing_workspace(root: Path, named: Path | None = None) -> Path:
    """The workspace `named`, or the usual one. Raises CourseError if it does not exist."""
    workspace = named or workspace_of(root)
    if not (workspace / ".course").is_dir():
        raise CourseError(
            f"There is no workspace in {workspace}. Run `make lab` to make one, or name another "
            "folder in the environment variable COURSE_WORKSPACE."
        )
    return workspace


def lesson_file(lesson: Lesson) -> str:
    """The path of a lesson's notebook in a workspace."""
    return f"lessons/{lesson.notebook}.ipynb"


def assignment_file(assignment: Assignment) -> str:
    """The path of an assignment's notebook in a workspace."""
    return f"assignments/{assignment.name}/{assignment.name}.ipynb"


def title_of(root: Path, path: str) -> str:
    """The title of a file of a workspace; its path, if it is neither lesson nor assignment."""
    course = load_manifest(root / "course.toml")
    titles = {lesson_file(each): f"Lesson {each.number}, {each.title}" for each in course.lessons}
    titles |= {assignment_file(each): f"Assignment {each.name}" for each in course.assignments}
    return titles.get(path, path)


def pages(root: Path) -> list[tuple[str, str]]:
    """The title and file of each page next to the lessons, such as the glossary."""
    found = []
    for page in sorted((root / "notebooks").glob("*.md")):
        heading = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        found.append((heading[1] if heading else page.stem, f"lessons/{page.name}"))
    return found


def read_copy(workspace: Path, path: str) -> bytes:
    """The learner's copy of the file at `path`. Raises CourseError if it cannot be read."""
    file = workspace / path
    if not file.is_file():
        raise CourseError(f"{path} is missing. Run `course lab` to restore it.")
    with explained(file):
        return file.read_bytes()


def require_unsaved(workspace: Path, path: str, before: bytes) -> None:
    """Raise CourseError if the file has changed since `before` was read."""
    if read_copy(workspace, path) != before:
        raise CourseError(f"{path} was saved in the meantime. Run this command again.")


def files_called(root: Path, workspace: Path, name: str) -> list[str]:
    """The files that `name` stands for, relative to the workspace.

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
    """Whether two files have the same content, apart from the results of running a notebook."""
    if one == other:
        return True
    try:
        return _written(json.loads(one.decode())) == _written(json.loads(other.decode()))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _written(notebook: Any) -> list[tuple[str, str, str]]:
    """The part of a notebook that a person writes: the types, ids and texts of its cells."""
    return [(cell["cell_type"], cell["id"], source_of(cell)) for cell in notebook["cells"]]
