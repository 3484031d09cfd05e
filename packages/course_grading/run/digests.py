"""Digests of everything that decides a grade: our code, and the versions of libraries."""

import hashlib
import sys
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import course_grading
import course_notebooks
import course_utils
import exercise_kit
from course_grading.run.course import ReleasedAssignment
from course_utils.checking.exercises import place_of
from course_utils.manifest import repository_root

_OURS = (course_utils, course_notebooks, course_grading, exercise_kit)
_TEXTS = (".py", ".md", ".toml", ".json", ".cpp")


def grading_digest(released: ReleasedAssignment, seed: str) -> str:
    """The digest of assignment, seed, grading code and exercises."""
    common, grading = _folder(course_utils), _folder(course_grading)
    places = {
        _folder(exercise_kit),
        *(common / name for name in ("checking", "experiments", "program")),
        _folder(course_notebooks),
        *(repository_root() / "notebooks" / "project").glob("*.py"),
        *(grading / name for name in ("judge", "loader", "worker", "run/course.py")),
        *(file for file in grading.iterdir() if file.is_file()),
        *(place_of(repository_root(), each.exercise).parent for each in released.checks),
    }
    versions = [version(name) for name in ("torch", "virtual_cuda")]
    parts = [released.digest, seed, *versions, *map(_digest, sorted(places))]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def tool_versions() -> dict[str, str]:
    """Name → version or digest of all that must be the same on the computers of a cluster."""
    root = repository_root()
    spec = find_spec("virtual_cuda")  # without importing it, which would load torch
    assert spec is not None and spec.origin is not None
    ours = [_folder(module) for module in _OURS]
    digests = {place.name: _digest(place) for place in [*ours, Path(spec.origin).parent]}
    return {
        **digests,
        "the exercises": _digest(root / "assignments" / "exercises"),
        "course.toml": _digest(root / "course.toml"),
        # The CUDA build and the CPU build give the same grades: submissions have virtual GPUs.
        "torch": version("torch").partition("+")[0],
        "dask.distributed": version("distributed"),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


def _folder(package: object) -> Path:
    return Path(str(getattr(package, "__file__", ""))).parent


def _digest(place: Path) -> str:
    """The digest of a file, or of all text files in a folder with their names."""
    files: Iterable[Path] = [place] if place.is_file() else sorted(place.rglob("*"))
    digest = hashlib.sha256()
    for file in files:
        if file.suffix in _TEXTS:
            digest.update(f"{file.relative_to(place)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:12]
