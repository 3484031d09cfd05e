"""The instructor's seed, from which the hidden cases are drawn."""

import os
import secrets
from pathlib import Path

from course_utils.checking.mode import GRADING_SEED
from course_utils.errors import CourseError


def use_grading_seed(course_folder: Path) -> None:
    """Hand the seed of `course_folder` to the kernels that nbgrader starts.

    It is kept in the git-ignored file .grading_seed, made at first use. Keep that file to grade
    later submissions with the same hidden cases; delete it for new ones. A seed that is in the
    environment already wins. Raises CourseError if the file can be neither read nor made.
    """
    if os.environ.get(GRADING_SEED):
        return
    file = course_folder / ".grading_seed"
    try:
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(secrets.token_hex(16) + "\n", encoding="utf-8")
        os.environ[GRADING_SEED] = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise CourseError(
            f"The grading seed {file} cannot be read or made ({error.strerror}): make the folder "
            f"writable, or set the environment variable {GRADING_SEED}."
        ) from error
