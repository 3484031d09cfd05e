"""The instructor's seed, from which the hidden cases are drawn."""

import os
import re
import secrets
from pathlib import Path

from course_notebooks.safe_files import explained
from course_utils.checking.mode import GRADING_SEED
from course_utils.errors import CourseError

_SEED = re.compile(r"[!-~]([ -~]{0,126}[!-~])?")


def grading_seed(course_folder: Path) -> str:
    """The seed of a course, from the environment or else from the course's own file.

    The file is .grading_seed, which git ignores. It is made at first use. Keep it to grade later
    submissions with the same hidden cases; delete it for new cases. Raises CourseError if it can be
    neither read nor made, or does not contain a seed.
    """
    if named := os.environ.get(GRADING_SEED):
        return named
    file = course_folder / ".grading_seed"
    with explained(file):
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(secrets.token_hex(16) + "\n", encoding="utf-8")
        seed = file.read_bytes().decode("ascii", errors="replace").strip()
    if not _SEED.fullmatch(seed):
        raise CourseError(
            f"{file} does not contain a seed (one line of text). Put the right file back, or "
            "delete it. After deletion a new seed is drawn, and everything is graded again."
        )
    return seed
