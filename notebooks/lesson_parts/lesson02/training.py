"""`epoch_waits`: the waits for the GPU in each part of the program in an epoch."""

import ast
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import torch

from course_utils.errors import CourseError
from course_utils.experiments.children import run_child
from course_utils.program.holes import FILES, after
from lesson_parts.project import pictures, run_files
from lesson_parts.waiting import waiting

_PROGRAM = """
import json, os, torch, warnings
from lesson_parts.as_main import run_train
torch.set_num_threads(1)  # for batches this small, more threads cost time
torch.cuda.set_sync_debug_mode("warn")
with warnings.catch_warnings(record=True, action="always") as caught:
    print(run_train({folder!r}, {words!r}) or "done")
waits = [each for each in caught if "synchronizing" in str(each.message)]
print(json.dumps([(os.path.basename(each.filename), each.lineno) for each in waits]))
"""
_OPTIONS = ("--batch", "3", "--epochs", "1", "--workers", "0", "--checkpoint", "run.pt")
_LAST = "0020.jpg"
"""Of each shape, the images up to this one: 40 batches for the training, one for the test."""


def epoch_waits() -> None:
    """Print how often each part of train.py and shapes.py, after lesson 01, waits in an epoch.

    The epoch has 40 batches of three images, and a test with one batch.
    """
    images = pictures()
    gpu = f"cuda:{torch.cuda.device_count() - 1}"  # as in `loop_lanes`
    with TemporaryDirectory() as folder, waiting("Training for an epoch", seconds=8):
        few = copytree(images, Path(folder, "few"), ignore=_later)
        found = _waits(["--data", str(few), "--device", gpu, *_OPTIONS], after("01"))
    print(f"{'part of the program':20} {'waits in an epoch':>18}")
    for name, waits in found.items():
        print(f"{name:20} {waits:18}")


def _later(_folder: object, names: Sequence[str]) -> list[str]:
    return [name for name in names if name.endswith(".jpg") and name > _LAST]


def _waits(words: Sequence[str], files: Mapping[str, str]) -> Counter[str]:
    printed = run_files(files, words, _PROGRAM, run_child)
    end, lines = printed.splitlines()[-2:]
    if end != "done":
        raise CourseError(f"train.py stopped with an error: {printed}")
    found = Counter(map(tuple, json.loads(lines)))
    return +Counter(
        {
            part.name: sum(found[file, n] for n in range(part.lineno, (part.end_lineno or 0) + 1))
            for file in FILES
            for part in ast.parse(files[file]).body
            if isinstance(part, ast.FunctionDef | ast.ClassDef)
        }
    )
