"""`train_on_server`: a run of train.py on a server with other people's programs."""

import inspect
from collections.abc import Callable
from functools import partial

from course_utils.experiments.children import run_bare_child
from course_utils.program.holes import before, put
from lesson_parts.project import pictures, run_files
from lesson_parts.waiting import waiting

_PROGRAM = """
import os, subprocess
from lesson_parts.as_main import run_train
from lesson_parts.hosts import log_in
log_in("porto")
print(run_train({folder!r}, {words!r}) or f"train.py has the PID {{os.getpid()}}")
table = subprocess.run("nvidia-smi", shell=True, capture_output=True, text=True).stdout
print(table[table.index("| Processes:") :])
"""
_OPTIONS = ("--epochs", "2", "--workers", "0", "--checkpoint", "checkpoint.pt")


def train_on_server(words: str, pick_device: Callable[[str], object] | None = None) -> None:
    """Run `python train.py` with these options on the server, and print its output line by line.

    Before the program ends, nvidia-smi lists the processes that compute there.

    pick_device: replaces the function of that name in train.py; without it, train.py is as before
        lesson 01.
    """
    files = before("machine.pick_device")
    if pick_device is not None:
        files = put(files, inspect.getsource(pick_device))
    options = [*words.split(), "--data", str(pictures()), *_OPTIONS]
    with waiting("Training for two epochs", seconds=40):
        run_files(files, options, _PROGRAM, partial(run_bare_child, show=print))
