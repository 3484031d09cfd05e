"""The resource limits of a submission."""

import resource
from dataclasses import dataclass
from pathlib import Path

_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of a submission.

    cpu_seconds: processor time of each process.
    memory: bytes, at FULL for all processes together; below FULL for each process, in addition to
        the memory of the process that was forked. torch needs 2 GiB.
    processes: processes and threads at a time.
    cores: of the processor, for all processes together; only at FULL, and if the kernel allows it.
    open_files: of each process.
    file_bytes: of each file and of shared memory.
    writable_bytes, writable_files: of all writable folders together, which are in memory. Below
        NO_CGROUPS they are not limited.
    """

    cpu_seconds: int = 60
    memory: int = 2048 * _MIB
    processes: int = 128
    cores: float = 1.0
    open_files: int = 1024
    file_bytes: int = 256 * _MIB
    writable_bytes: int = 512 * _MIB
    writable_files: int = 8192


def limit_this_process(limits: Limits, *, counted_alone: bool) -> None:
    """Set the limits of this process, which its children inherit.

    counted_alone: whether only this submission's processes run under this user id. If not, the
        kernel counts the others as well, so they are added to the limit.
    """
    seconds, others = limits.cpu_seconds, 0 if counted_alone else _tasks()
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)  # first SIGXCPU, then SIGKILL
    _lower(resource.RLIMIT_DATA, _data() + limits.memory)
    _lower(resource.RLIMIT_NPROC, others + limits.processes)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    _lower(resource.RLIMIT_FSIZE, limits.file_bytes)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(which: int, soft: int, hard: int | None = None) -> None:
    """Set a limit of this process, never above the current one: that needs a privilege.

    hard: default `soft`.
    """
    most = resource.getrlimit(which)[1]
    hard = soft if hard is None else hard
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(which, (soft, hard))


def _tasks() -> int:
    """The number of processes and threads on this computer."""
    running_of_all = Path("/proc/loadavg").read_text().split()[3]
    return int(running_of_all.partition("/")[2])


def _data() -> int:
    """Bytes of this process's memory that RLIMIT_DATA counts."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0
