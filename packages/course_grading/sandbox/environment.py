"""The environment of a submission: its variables, its folders, and its extra files."""

import multiprocessing.process
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from course_grading.sandbox import libc
from course_grading.sandbox.levels import SandboxRefused
from course_grading.sandbox.privileges import Identity

USER = "learner"
_KEPT = frozenset(
    {
        "CUDA_DEVICE_ORDER",
        "CUDA_VISIBLE_DEVICES",
        "LANG",
        "LC_ALL",
        "MKL_NUM_THREADS",
        "MPLBACKEND",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "PATH",
        "PYTHONHASHSEED",
        "PYTHONPATH",
        "TORCH_DEVICE_BACKEND_AUTOLOAD",
        "TZ",
    }
)
_KEPT_PREFIX = "VIRTUAL_CUDA_"
_ENVIRONMENT_FIELDS = slice(49, 51)  # env_start and env_end in /proc/self/stat


@dataclass(frozen=True)
class Folders:
    """The folders in which a submission can write. Its home is in the temporary folder."""

    work: Path
    temporary: Path

    @property
    def home(self) -> Path:
        """The home folder of the submission."""
        return self.temporary / "home"

    def fill(self, root: Path, work: Mapping[str, bytes], who: Identity) -> None:
        """Make the folders below `root`, with the submission's extra files."""
        for folder, mode in ((self.work, 0o755), (self.temporary, 0o1777), (self.home, 0o700)):
            made = _below(root, folder)
            made.mkdir(parents=True, exist_ok=True)
            made.chmod(mode)
            who.own(made)
        base = _below(root, self.work)
        for name, content in work.items():
            file = base / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        for made in base.rglob("*"):
            who.own(made)


def check_names(names: Sequence[str]) -> None:
    """Raise SandboxRefused for a file name that leads out of the working folder."""
    for name in names:
        path = PurePosixPath(name)
        if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
            raise SandboxRefused(f"The file name {name!r} leads out of the working folder.")


def switch(folders: Folders) -> None:
    """Keep only variables that are known to be harmless, and change into the working folder."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_PREFIX)
    }
    os.environ.clear()
    _erase_original()
    os.environ.update(kept, **_own(folders))
    os.chdir(folders.work)
    # Values that Python cached before the fork: the folder for temporary files, and the folder
    # for '' in the search path of spawned processes.
    tempfile.tempdir = None
    multiprocessing.process.ORIGINAL_DIR = str(folders.work)  # type: ignore[attr-defined]


def _own(folders: Folders) -> dict[str, str]:
    home = folders.home
    return {
        "HOME": str(home),
        "USER": USER,
        "LOGNAME": USER,
        "TMPDIR": str(folders.temporary),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
        "TORCHINDUCTOR_CACHE_DIR": str(home / "inductor"),
        "TORCH_EXTENSIONS_DIR": str(home / "torch_extensions"),
        "TORCH_HOME": str(home / "torch"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _erase_original() -> None:
    """Overwrite the variables from the start of this process, which /proc/self/environ shows."""
    stat = Path("/proc/self/stat").read_text()
    fields = stat.rpartition(")")[2].split()
    start, end = (int(field) for field in ["", "", *fields][_ENVIRONMENT_FIELDS])
    libc.overwrite(start, end - start)


def _below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")
