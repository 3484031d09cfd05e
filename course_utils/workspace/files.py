"""The files of a workspace: where they are, relative to it, and reading one."""

import re
from pathlib import Path

from course_utils.authoring.files import explained
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, Lesson


def lesson_file(lesson: Lesson) -> str:
    return f"lessons/{lesson.notebook}.ipynb"


def assignment_file(assignment: Assignment) -> str:
    return f"assignments/{assignment.name}/{assignment.name}.ipynb"


def stage_file(lesson: Lesson) -> str:
    """The project as the lesson leaves it; not every lesson changes it."""
    return f"project/{lesson.number}/train.py"


def pages(root: Path) -> list[tuple[str, str]]:
    """Title and file of each page that lies beside the lessons, such as the glossary."""
    return [
        (_title(page), f"lessons/{page.name}") for page in sorted((root / "notebooks").glob("*.md"))
    ]


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


def _title(page: Path) -> str:
    heading = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return heading[1] if heading else page.stem
