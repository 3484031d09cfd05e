"""The reference solutions. They live in the folders of the exercises, never in this package."""

import re
from pathlib import Path

from course_utils.errors import CourseError

TRY = "# %% try\n"
"""What stands in answer.py between the starting text and the lines to try it out with."""

_REGION = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*(\n|\Z)", re.MULTILINE)


def has_reference(folder: Path) -> bool:
    """Whether the solution of the exercise in `folder` is on this machine."""
    return _file(folder).is_file()


def reference(folder: Path) -> str:
    """The source of the exercise in `folder` as its author solved it.

    Raises CourseError where the sources are not on this machine, as with a class's release.
    """
    if not has_reference(folder):
        raise CourseError(
            f"The solution of {folder.name} is not on this machine; ask your instructor."
        )
    answer = _file(folder).read_text(encoding="utf-8").partition(TRY)[0]
    return _REGION.sub("", answer).strip()


def _file(folder: Path) -> Path:
    return folder / "answer.py"
