"""The reference solutions. They live in the assignments' sources, never in this package."""

import json
import re
from pathlib import Path
from typing import Any

from course_utils.errors import CourseError
from course_utils.manifest import Assignment, load_manifest, repository_root

_REGION = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*\n", re.MULTILINE)


def reference(name: str, root: Path | None = None) -> str:
    """The source of exercise `name` as its author solved it.

    Raises CourseError where the sources are not on this machine, as with a class's release.
    """
    root = root or repository_root()
    course = load_manifest(root / "course.toml")
    source = source_notebook(root, course.assignment_of(name))
    if not source.exists():
        raise CourseError(f"The solution of {name!r} is not on this machine; ask your instructor.")
    return _REGION.sub("", graded_cell(source, name.partition(".")[2])["source"]).strip()


def source_notebook(root: Path, assignment: Assignment) -> Path:
    """An assignment's notebook with its solutions, where nbgrader expects it."""
    return root / "assignments" / "source" / assignment.name / f"{assignment.name}.ipynb"


def graded_cell(notebook: Path, grade_id: str) -> dict[str, Any]:
    """The cell of an assignment's notebook with that nbgrader grade_id, `source` as one string.

    Raises CourseError if there is none.
    """
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id:
            return {**cell, "source": "".join(cell["source"])}
    raise CourseError(f"{notebook.name} has no cell with the grade_id {grade_id!r}: add it there.")
