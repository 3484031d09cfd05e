"""The state in which every submission's process starts. It is made once."""

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence

import torch

import virtual_cuda
from course_grading.sandbox import SandboxRefused, gpus
from course_grading.worker.huge_pages import use_huge_pages
from course_grading.worker.shell import Shell, new_shell
from course_utils.checking import practice
from course_utils.checking.exercises import exercise, folder_of_all
from course_utils.checking.world import load_lazy_parts
from course_utils.devices import lab
from course_utils.manifest import repository_root
from exercise_kit.contract import Observer
from exercise_kit.folder import package

_MEMORY = "2 GiB"


def load_observers(names: Iterable[str]) -> Mapping[str, Observer]:
    """Exercise → observer. After this call no other part of an exercise can be loaded, such as its
    answer."""
    found = {name: exercise(name).observer for name in names}
    sys.modules[package(folder_of_all(repository_root()))].__path__ = []
    return found


def preload(*, real: str | None = None) -> Shell:
    """The IPython shell for submissions, with everything loaded that they need.

    real: the first lines of a process that will have real GPUs; None: virtual ones. After a fork,
        CUDA started here could not be used, and threads would be lost. Raises RuntimeError if CUDA
        or another thread has started.
    """
    load_lazy_parts()
    if real is None:
        use_virtual_gpus()
    else:
        exec(real, {})
    practice.check = _asks_nothing
    sys.path.append("")  # a notebook can import the files in its folder, with lowest priority
    shell = new_shell()
    shell.run_cell("import torch, numpy, course_utils\n", store_history=False)
    shell.reset(new_session=True)
    shell.user_ns |= dict.fromkeys(("_", "__", "___"), "")  # as in a new kernel
    shell.user_module.__spec__ = None  # spawned processes read it, and the reset removes it
    gc.collect()
    gc.freeze()
    use_huge_pages()
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("The worker has more than one thread, so it cannot be forked.")
    if torch.cuda.is_initialized():
        raise RuntimeError("CUDA has started in the worker, so it cannot be forked.")
    return shell


def remember_torch(names: Iterable[str]) -> None:
    """Store the current state of torch, which answers to these exercises must leave unchanged."""
    for world in {exercise(name).world for name in names}:
        world.remembered = world.intact()


def _asks_nothing(*_: object, **__: object) -> None:
    """The `check` in a student's own cells: it does nothing, because the judge checks."""


def use_virtual_gpus() -> None:
    """Set up virtual GPUs in this process, the default for grading.

    Real GPUs are hidden, so that a class gets the same grades on every computer.
    """
    virtual_cuda.enable(gpus.NEEDED, _MEMORY, quiet=True, hide_real_gpus=True)
    with contextlib.redirect_stdout(None):
        lab(gpus.NEEDED, _MEMORY)


def start_real_gpus() -> Sequence[str]:
    """Start CUDA in the process of one submission. Returns the names of its GPUs.

    Raises SandboxRefused, with CUDA's own words, if there is none.
    """
    try:
        torch.cuda.init()
        return [torch.cuda.get_device_name(at) for at in range(torch.cuda.device_count())]
    except Exception as error:
        why = str(error).strip().partition("\n")[0]
        raise SandboxRefused(f"{why} (torch {torch.__version__})") from error
