"""Control groups: limits on memory, processes and cores for a whole submission.

A group is made below this process's own group, so this process's limits apply as well. With version
2 it may have to be a sibling, because a group that contains processes cannot have limited children.
"""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

from course_grading.sandbox.limits import Limits

_NAME = "course-sandbox-"  # followed by the pid of the process that made it
_PERIOD = 100_000  # microseconds, for the share of the processor
_COUNTED = (
    ("memory.peak", "peak"),
    ("memory.max_usage_in_bytes", "peak"),
    ("memory.events", "oom_kill"),
    ("memory.oom_control", "oom_kill"),
    ("pids.events", "max"),
)
_PATIENCE = 2.0  # seconds until the last process has left a group
_MAY_LACK = {"memory.memsw.limit_in_bytes", "memory.swap.max", "cpu.cfs_quota_us", "cpu.max"}
# The kernel refuses a share of the processor if this process has a smaller one itself.
_MAY_BE_REFUSED = {"cpu.cfs_quota_us", "cpu.max"}


@dataclass(frozen=True)
class ControlGroups:
    """The control groups of a submission, one for each controller."""

    folders: tuple[Path, ...]

    def join(self) -> None:
        """Put this process into the groups, and so all processes that it will start."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0")

    def events(self) -> dict[str, int]:
        """The `peak` of memory in bytes, the number of processes killed for memory (`oom_kill`),
        and of processes refused (`max`), as far as the kernel counts them."""
        found = {}
        for folder in self.folders:
            for name, key in _COUNTED:
                with contextlib.suppress(OSError, KeyError):
                    lines = (folder / name).read_text().splitlines()
                    values = dict(line.rpartition(" ")[::2] for line in lines)
                    found[key] = int(values["" if key == "peak" else key])
        return found

    def remove(self) -> None:
        """Remove the groups. Call it after their processes have ended."""
        until = time.monotonic() + _PATIENCE
        for folder in self.folders:
            while not _removed(folder) and time.monotonic() < until:
                time.sleep(0.005)


def make(limits: Limits) -> ControlGroups:
    """New control groups for a submission. Raises OSError if this process may not make them."""
    places = _version_1() or _version_2()
    made: list[Path] = []
    try:
        share = round(limits.cores * _PERIOD)
        values = {
            "pids.max": limits.processes + 1,  # one more: the process that waits for them
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
    """The folder of each controller, with the names of the files to write."""
    memory, pids, cpu = (_own_folder(name) for name in ("memory", "pids", "cpu"))
    if memory is None or pids is None:
        return []
    cores = [] if cpu is None else [(cpu, ["cpu.cfs_quota_us"])]
    # In this order: the limit of memory plus swap may not be below that of memory.
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
    raise PermissionError(f"{own} cannot limit memory and processes of its children")


def _own_folder(controller: str) -> Path | None:
    """The folder of this process's group for a controller; with "", its group of version 2."""
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
    """Remove groups left by killed supervisors. A group in use cannot be removed."""
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
