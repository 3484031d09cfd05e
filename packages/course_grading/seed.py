"""The instructor's seed, from which the hidden cases are drawn."""

import os
import re
import secrets
from pathlib import Path

from course_utils.checking.mode import GRADING_SEED
from course_utils.errors import CourseError

_SEED = re.compile(r"[!-~]([ -~]{0,126}[!-~])?")


def grading_seed(course_folder: Path) -> str:
    """The seed of a course: of the environment if it stands there, else of the course's own file.

    That is the git-ignored .grading_seed, made at first use. Keep it to grade later submissions
    with the same hidden cases; delete it for new ones. Raises CourseError if it can be neither
    read nor made, or holds something else.
    """
    if named := os.environ.get(GRADING_SEED):
        return named
    file = course_folder / ".grading_seed"
    try:
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(secrets.token_hex(16) + "\n", encoding="utf-8")
        seed = file.read_bytes().decode("ascii", errors="replace").strip()
    except OSError as error:
        raise CourseError(
            f"The grading seed {file} cannot be read or made ({error.strerror}): make the folder "
            f"writable, or set the environment variable {GRADING_SEED}."
        ) from error
    if not _SEED.fullmatch(seed):
        raise CourseError(
            f"{file} does not hold a seed, which is one line of text: put the right file back, or "
            "delete it; then a new seed is drawn, and everything is graded anew."
        )
    return seed


def use_grading_seed(course_folder: Path) -> None:
    """Hand the seed of `course_folder` to the kernels that nbgrader starts."""
    os.environ[GRADING_SEED] = grading_seed(course_folder)
