"""The CPUs of a process."""

import os


def usable_cpus() -> int:
    """CPUs that this process may use: what DataLoader compares the number of workers with."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
