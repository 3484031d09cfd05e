"""Where the files of a workspace are, relative to it."""

import re
from pathlib import Path

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
    return [(_title(page), f"lessons/{page.name}")
            for page in sorted((root / "notebooks").glob("*.md"))]


def _title(page: Path) -> str:
    heading = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return heading[1] if heading else page.stem
