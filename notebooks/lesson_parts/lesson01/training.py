"""`train_on_server`: a run of train.py beside other people's programs."""

import inspect
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from course_utils.experiments.children import run_bare_child
from course_utils.program.holes import before, put
from lesson_parts.project import project_home
from lesson_parts.shapes import draw_shapes

_PROGRAM = """
import os, runpy, subprocess, sys
from lesson_parts.hosts import log_in
log_in("porto")
os.chdir({folder!r})
sys.path.insert(0, {folder!r})
sys.argv = ["train.py", *{words!r}]
try:
    runpy.run_path("train.py", run_name="__main__")
except SystemExit as end:
    print(end.code or f"train.py has the PID {{os.getpid()}}")
subprocess.run("nvidia-smi --query-compute-apps=pid,used_memory --format=csv", shell=True)
"""
_OPTIONS = ("--epochs", "2", "--workers", "0", "--checkpoint", "checkpoint.pt")


def train_on_server(words: str, pick_device: Callable[[str], object] | None = None) -> None:
    """Run `python train.py` with these words on the server, and print what it printed.

    Before the program ends, nvidia-smi tells which processes compute there.

    pick_device: takes the place of the function of that name in train.py, which without it is as
        it was before lesson 01.
    """
    pictures = project_home() / "shapes"
    draw_shapes(pictures)
    files = before("machine.pick_device")
    if pick_device is not None:
        files = put(files, inspect.getsource(pick_device))
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        options = [*words.split(), "--data", str(pictures), *_OPTIONS]
        print(run_bare_child(_PROGRAM.format(folder=folder, words=options)))
