"""The reference solutions. They live in the folders of the exercises, never in this package."""

import re
from pathlib import Path

from course_utils.errors import CourseError

TRY = "# %% try\n"
"""What stands in answer.py between the starting text and the lines to try it out with."""

_REGION = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*(\n|\Z)", re.MULTILINE)


def reference(folder: Path) -> str:
    """The source of the exercise in `folder` as its author solved it.

    Raises CourseError where the sources are not on this machine, as with a class's release.
    """
    file = folder / "answer.py"
    if not file.is_file():
        raise CourseError(
            f"The solution of {folder.name} is not on this machine; ask your instructor."
        )
    answer = file.read_text(encoding="utf-8").partition(TRY)[0]
    return _REGION.sub("", answer).strip()
