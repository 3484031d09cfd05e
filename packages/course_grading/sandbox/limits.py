"""How much a submission may use."""

import resource
from dataclasses import dataclass
from pathlib import Path

_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """cpu_seconds: processor time of each process.
    memory: bytes for all processes together at FULL; below, what each may ask for beyond what
        the process that was forked has already. torch wants 2 GiB.
    processes: at a time, threads included.
    cores: of the processor, for all processes together at FULL where that can be limited.
    open_files: in each process.
    file_bytes: in each file, shared memory included.
    writable_bytes, writable_files: in all folders that can be written, together; they are in
        memory. Below NO_CGROUPS there is no such limit.
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

    counted_alone: whether nobody else's processes run under this user's number. Where they do, the
        kernel counts them as well, and a limit that forgets them would stop an honest submission.
    """
    seconds, others = limits.cpu_seconds, 0 if counted_alone else _tasks()
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)  # a signal that tells, then the end
    _lower(resource.RLIMIT_DATA, _data() + limits.memory)
    _lower(resource.RLIMIT_NPROC, others + limits.processes)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    _lower(resource.RLIMIT_FSIZE, limits.file_bytes)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(which: int, soft: int, hard: int | None = None) -> None:
    """Set a limit of this process, never to more than there is: that takes a right root may lack.

    hard: as `soft`, if not given.
    """
    most = resource.getrlimit(which)[1]
    hard = soft if hard is None else hard
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(which, (soft, hard))


def _tasks() -> int:
    """Processes and threads on this machine."""
    running_of_all = Path("/proc/loadavg").read_text().split()[3]
    return int(running_of_all.partition("/")[2])


def _data() -> int:
    """Bytes of this process that RLIMIT_DATA counts."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0
