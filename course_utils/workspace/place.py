"""Where a learner works."""

import os
from pathlib import Path

from course_utils.errors import CourseError


def workspace_of(root: Path) -> Path:
    """`root`/workspace, or what the environment variable COURSE_WORKSPACE names."""
    return Path(os.environ.get("COURSE_WORKSPACE") or root / "workspace").resolve()


def existing_workspace(root: Path, named: Path | None = None) -> Path:
    """The one that is `named`, or the usual one. Raises CourseError if it is not there."""
    workspace = named or workspace_of(root)
    if not (workspace / ".course").is_dir():
        raise CourseError(
            f"There is no workspace in {workspace}: `make lab` makes one, and "
            "`--workspace FOLDER` names another folder."
        )
    return workspace
