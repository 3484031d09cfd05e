"""What a submission may read: Python, the libraries, and what a child process of it imports."""

import site
import sys
from pathlib import Path

import course_utils
import virtual_cuda
from course_utils.manifest import repository_root


def readable_places() -> list[Path]:
    """Folders and files. No exercise is among them, no notebook and nothing of the class."""
    prefixes = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]}
    packages = {Path(file).parent for file in (course_utils.__file__, virtual_cuda.__file__)}
    user = Path(site.getusersitepackages())
    return sorted(
        {
            *prefixes,
            *packages,
            *({user} if user.is_dir() else ()),
            repository_root() / "course.toml",
        }
    )
