"""The GPUs, CPUs and memory of this computer, in a sentence each, found in a moment.

It starts neither torch nor CUDA. `course doctor` checks more, and takes longer.
"""

import importlib.metadata
from collections import Counter
from pathlib import Path

import psutil

from course_utils.cpus import usable_cpus
from course_utils.words import counted

_VIRTUAL = "virtual ones: results are equal up to rounding; random numbers and speed differ"


def machine() -> list[tuple[str, str]]:
    """The name and a sentence for each of: GPUs, computer."""
    return [("GPUs", _gpus()), ("Computer", f"{counted(usable_cpus(), 'core')}, {_memory()}")]


def _gpus() -> str:
    names = real_gpus()
    if not names:
        return f"none found, so the lessons use {_VIRTUAL}."
    found = ", ".join(f"{count} × {name}" for name, count in Counter(names).items())
    if importlib.metadata.version("torch").endswith("+cpu"):
        return f"{found}. This PyTorch is the build for CPUs, so the lessons use {_VIRTUAL}."
    return f"{found}. Your program runs there. The servers of the lessons have {_VIRTUAL}."


def real_gpus() -> list[str]:
    """The names of this computer's NVIDIA GPUs, found without CUDA; also those hidden from it."""
    import pynvml

    try:
        pynvml.nvmlInit()
        count = pynvml.nvmlDeviceGetCount()
        return [
            pynvml.nvmlDeviceGetName(pynvml.nvmlDeviceGetHandleByIndex(index))
            for index in range(count)
        ]
    except pynvml.NVMLError:  # no driver, or a driver that fails
        return []


def _memory() -> str:
    total, available = psutil.virtual_memory().total, psutil.virtual_memory().available
    limit = _container_limit()
    if limit is not None and limit < total:
        return f"{_gib(limit)} GiB of memory for this container"
    return f"{_gib(total)} GiB of memory, {_gib(available)} of them free"


def _container_limit() -> int | None:
    """The memory limit of a container's control group, in bytes; None without a limit."""
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text())
    except (OSError, ValueError):  # no such file, or "max"
        return None


def _gib(amount: float) -> str:
    return f"{amount / 2**30:.0f}"
