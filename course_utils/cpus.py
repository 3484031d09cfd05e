"""The CPUs of a process."""

import os


def usable_cpus() -> int:
    """The number of CPUs that this process may use, with which DataLoader compares its workers."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
