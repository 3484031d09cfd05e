"""The course's own notebooks, with their solutions, and the text of a cell.

Every `course lab` imports this file: nbformat, which takes a second, is imported where it is used.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from course_notebooks.safe_files import explained
from course_utils.errors import CourseError
from course_utils.manifest import Assignment

if TYPE_CHECKING:
    from nbformat import NotebookNode


def source_notebook(root: Path, assignment: Assignment) -> Path:
    """An assignment's notebook with its solutions, where nbgrader expects it."""
    return root / "assignments" / "source" / assignment.name / f"{assignment.name}.ipynb"


def read_built(path: Path) -> "NotebookNode":
    """A notebook of the course itself. Raises CourseError, which says how to make it again."""
    import nbformat

    with explained(path):
        data = path.read_bytes()
    try:
        return nbformat.reads(data.decode("utf-8-sig"), as_version=4)
    except (ValueError, KeyError, AttributeError, nbformat.ValidationError) as error:
        raise CourseError(
            f"{path} is not a readable notebook. Restore it, or run "
            f"`course build --discard {path.stem}` to make it again from its text."
        ) from error


def write_notebook(notebook: "NotebookNode") -> bytes:
    """The bytes of a notebook, as JupyterLab saves it.

    Half a character, as of an emoji that was cut, becomes a question mark: UTF-8 cannot encode it.
    """
    import nbformat

    return (nbformat.writes(notebook) + "\n").encode(errors="replace")


def source_of(cell: Any) -> str:
    """The text of a cell, which a file holds as a string or as a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)
