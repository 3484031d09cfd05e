"""Control groups: memory, processes and cores of a submission, limited for all of it together.

A group is made below the one that this process is in, so what limits this process limits it too.
With version 2 it may have to be made beside it: a group that holds processes shares out nothing.
"""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

from course_grading.sandbox.limits import Limits

_NAME = "course-sandbox-"  # and the number of the process that made it
_PERIOD = 100_000  # microseconds, in which a share of the processor is given out
_COUNTED = (
    ("memory.peak", "peak"),
    ("memory.max_usage_in_bytes", "peak"),
    ("memory.events", "oom_kill"),
    ("memory.oom_control", "oom_kill"),
    ("pids.events", "max"),
)
_PATIENCE = 2.0  # seconds until the last process has left a group
_MAY_LACK = {"memory.memsw.limit_in_bytes", "memory.swap.max", "cpu.cfs_quota_us", "cpu.max"}
# A share of the processor is refused where this process has a smaller one itself.
_MAY_BE_REFUSED = {"cpu.cfs_quota_us", "cpu.max"}


@dataclass(frozen=True)
class ControlGroups:
    """The control groups of a submission, one for each controller."""

    folders: tuple[Path, ...]

    def join(self) -> None:
        """Put this process in, and so all that it will start."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0")

    def events(self) -> dict[str, int]:
        """The `peak` of memory in bytes; how often it ended a process (`oom_kill`), and how often
        one more was refused (`max`). As far as the system counts them."""
        found = {}
        for folder in self.folders:
            for name, key in _COUNTED:
                with contextlib.suppress(OSError, KeyError):
                    lines = (folder / name).read_text().splitlines()
                    values = dict(line.rpartition(" ")[::2] for line in lines)
                    found[key] = int(values["" if key == "peak" else key])
        return found

    def remove(self) -> None:
        """Called when its processes have ended."""
        until = time.monotonic() + _PATIENCE
        for folder in self.folders:
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(0.005)


def make(limits: Limits) -> ControlGroups:
    """Raises OSError where nothing may be limited so."""
    places = _version_1() or _version_2()
    made: list[Path] = []
    try:
        share = round(limits.cores * _PERIOD)
        values = {
            "pids.max": limits.processes + 1,  # and the one that waits for them
            "cpu.cfs_quota_us": share,
            "cpu.max": f"{share} {_PERIOD}",
            "memory.swap.max": 0,
        }
        for place, files in places:
            _sweep(place)
            folder = place / f"{_NAME}{os.getpid()}"
            folder.mkdir()
            made.append(folder)
            for name in files:
                if name not in _MAY_LACK or (folder / name).exists():
                    with contextlib.suppress(*([OSError] if name in _MAY_BE_REFUSED else [])):
                        (folder / name).write_text(str(values.get(name, limits.memory)))
    except OSError:
        ControlGroups(tuple(made)).remove()
        raise
    return ControlGroups(tuple(made))


def _version_1() -> list[tuple[Path, list[str]]]:
    """The folder of each controller, with the files to write."""
    memory, pids, cpu = (_own_folder(name) for name in ("memory", "pids", "cpu"))
    if memory is None or pids is None:
        return []
    cores = [] if cpu is None else [(cpu, ["cpu.cfs_quota_us"])]
    # in this order: memory and swap together may not be less than memory
    sizes = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
    return [*cores, (memory, sizes), (pids, ["pids.max"])]


def _version_2() -> list[tuple[Path, list[str]]]:
    own = _own_folder("")
    if own is None:
        raise FileNotFoundError("no control groups are mounted")
    for place in (own, own.parent):
        shared = place / "cgroup.subtree_control"
        if shared.exists() and {"memory", "pids"} <= set(shared.read_text().split()):
            return [(place, ["memory.max", "memory.swap.max", "pids.max", "cpu.max"])]
    raise PermissionError(f"{own} shares out neither memory nor processes")


def _own_folder(controller: str) -> Path | None:
    """The group that this process is in; with "" that of version 2."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, group = line.split(":", 2)
        if controller in controllers.split(","):
            return _mounted(controller, group)
    return None


def _mounted(controller: str, group: str) -> Path | None:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, kind = line.partition(" - ")
        _, _, _, root, where, *_ = mount.split()
        name, _, options = kind.split()[:3]
        fits = (
            name == "cgroup" and controller in options.split(",")
            if controller
            else (name == "cgroup2")
        )
        if fits and Path(group).is_relative_to(root):
            return Path(where) / Path(group).relative_to(root)
    return None


def _sweep(place: Path) -> None:
    """Remove what a supervisor that was killed has left. One in use cannot be removed."""
    for folder in place.glob(f"{_NAME}*"):
        if not Path("/proc", folder.name.removeprefix(_NAME)).exists():
            _removed(folder)


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
