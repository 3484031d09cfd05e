"""The state that every submission's process starts from, made once."""

import contextlib
import gc
import os
import sys
import tempfile
import threading

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import virtual_cuda
from course_utils.checking import practice
from course_utils.checking.exercises import exercise, folder_of_all
from course_utils.checking.world import load_lazy_parts
from course_utils.devices import lab
from course_utils.manifest import load_manifest, repository_root
from exercise_kit.folder import package
from exercise_kit.programs.observer import ProgramObserver

_GPUS, _MEMORY = 4, "2 GiB"


def preload(assignment: str) -> InteractiveShell:
    """Load what submissions of `assignment` need, and make the shell that they run in.

    Nothing that is put on a virtual GPU here could be used after a fork, and a thread would be
    lost in it: raises RuntimeError if there is either.
    """
    load_lazy_parts()
    for each in load_manifest().assignment(assignment).exercises:
        known = exercise(each.name)
        _ = known.observer  # which loads it
    sys.modules[
        package(folder_of_all(repository_root()))
    ].__path__ = []  # what computes the truth cannot be loaded any more
    use_grading_devices()
    practice.check = _asks_nothing
    known.world.remembered = known.world.intact()
    sys.path.append("")  # files beside a notebook can be imported, and are looked for last
    shell = _shell()
    shell.run_cell("import torch, numpy, course_utils\n", store_history=False)
    shell.reset(new_session=True)
    shell.user_module.__spec__ = None  # which the reset takes away, and spawned processes ask for
    gc.collect()
    gc.freeze()
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("The worker has more than one thread, so it cannot be forked.")
    return shell


def runs_programs(assignment: str) -> bool:
    """Whether a submission of it is put into programs, which are forks of its process."""
    exercises = load_manifest().assignment(assignment).exercises
    return any(isinstance(exercise(each.name).observer, ProgramObserver) for each in exercises)


def _asks_nothing(*_: object, **__: object) -> None:
    """What `check` does in a student's own cells: the judge asks by itself, where a test stands."""


def _shell() -> InteractiveShell:
    config = Config()
    config.HistoryManager.enabled = False  # a file and a thread
    config.InteractiveShell.colors = "nocolor"
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")
    return InteractiveShell.instance(config=config)


def use_grading_devices() -> None:
    """Set up, in this process, the devices that everything is graded on: four virtual GPUs.

    Real ones are hidden, so that a class is graded alike whatever the machine has.
    """
    virtual_cuda.enable(_GPUS, _MEMORY, quiet=True, hide_real_gpus=True)
    with contextlib.redirect_stdout(None):
        lab(_GPUS, _MEMORY)
