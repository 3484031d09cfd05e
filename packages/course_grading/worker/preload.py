"""The state that every submission's process starts from, made once."""

import contextlib
import gc
import os
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping

import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import virtual_cuda
from course_grading.sandbox import SandboxRefused, gpus
from course_grading.worker.huge_pages import use_huge_pages
from course_utils.checking import practice
from course_utils.checking.exercises import exercise, folder_of_all
from course_utils.checking.world import load_lazy_parts
from course_utils.devices import lab
from course_utils.manifest import load_manifest, repository_root
from exercise_kit.contract import Observer
from exercise_kit.folder import package

_MEMORY = "2 GiB"


def load_observers(assignment: str) -> Mapping[str, Observer]:
    """Those of the exercises of `assignment`, by their names. What computes the truth cannot be
    loaded any more after that."""
    names = [each.name for each in load_manifest().assignment(assignment).exercises]
    found = {name: exercise(name).observer for name in names}
    sys.modules[package(folder_of_all(repository_root()))].__path__ = []
    return found


def preload(*, real: bool) -> InteractiveShell:
    """Load what submissions need, and make the shell that they run in.

    real: whether they will have real GPUs. Of CUDA, whether real or virtual, nothing that starts
    here could be used after a fork, and a thread would be lost in it: raises RuntimeError if there
    is either.
    """
    load_lazy_parts()
    if not real:
        use_virtual_gpus()
    practice.check = _asks_nothing
    sys.path.append("")  # files beside a notebook can be imported, and are looked for last
    shell = _shell()
    shell.run_cell("import torch, numpy, course_utils\n", store_history=False)
    shell.reset(new_session=True)
    shell.user_module.__spec__ = None  # which the reset takes away, and spawned processes ask for
    gc.collect()
    gc.freeze()
    use_huge_pages()
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("The worker has more than one thread, so it cannot be forked.")
    if torch.cuda.is_initialized():
        raise RuntimeError("CUDA has started in the worker, so it cannot be forked.")
    return shell


def remember_torch(names: Iterable[str]) -> None:
    """Answers to these exercises must leave torch as it is now, whatever their cells make of it."""
    for world in {exercise(name).world for name in names}:
        world.remembered = world.intact()


def _asks_nothing(*_: object, **__: object) -> None:
    """What `check` does in a student's own cells: the judge asks by itself, where a test stands."""


def _shell() -> InteractiveShell:
    config = Config()
    config.HistoryManager.enabled = False  # a file and a thread
    config.InteractiveShell.colors = "nocolor"
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")
    return InteractiveShell.instance(config=config)


def use_virtual_gpus() -> None:
    """Set up, in this process, what everything is graded on if not asked otherwise.

    Real GPUs are hidden, so that a class is graded alike whatever the machine has.
    """
    virtual_cuda.enable(gpus.NEEDED, _MEMORY, quiet=True, hide_real_gpus=True)
    with contextlib.redirect_stdout(None):
        lab(gpus.NEEDED, _MEMORY)


def use_real_gpus() -> None:
    """Set up, in the process of one submission, the computer's own GPUs.

    Asking for their number may start a part of the driver, so no other process may be forked from
    this one to use them. Raises SandboxRefused where torch finds fewer than a lesson's lab takes.
    """
    if (found := torch.cuda.device_count()) < gpus.NEEDED:
        raise SandboxRefused(
            f"torch {torch.__version__} finds {found} GPUs in the sandbox: is it a build for CUDA, "
            "and does the driver's libcuda.so.1 lie below /usr?"
        )
    with contextlib.redirect_stdout(None):
        lab(gpus.NEEDED)
