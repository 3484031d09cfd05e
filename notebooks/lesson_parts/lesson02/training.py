"""`epoch_waits`: the waits for the GPU in each part of the program, before and after lesson 02."""

import ast
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from course_utils.errors import CourseError
from course_utils.experiments.children import run_child
from course_utils.program.holes import FILES, after
from lesson_parts.project import pictures, run_files
from lesson_parts.waiting import waiting

_PROGRAM = """
import json, os, warnings
import torch
from lesson_parts.as_main import run_train
torch.cuda.set_sync_debug_mode("warn")
with warnings.catch_warnings(record=True, action="always") as caught:
    print(run_train({folder!r}, {words!r}) or "done")
waits = [each for each in caught if "synchronizing" in str(each.message)]
print(json.dumps([(os.path.basename(each.filename), each.lineno) for each in waits]))
"""
_OPTIONS = ("--device", "cuda:1", "--epochs", "1", "--workers", "0", "--checkpoint", "run.pt")


def epoch_waits() -> None:
    """Print how often each part of train.py and shapes.py waits for its GPU in an epoch.

    Before: the program after lesson 01. After: with the `train_epoch` of the course.
    """
    waits = partial(_waits, ["--data", str(pictures()), *_OPTIONS])
    with waiting("Training for an epoch, twice", seconds=30), ThreadPoolExecutor(2) as pool:
        before, later = pool.map(waits, (after("01"), after("02")))
    print(f"{'waits in an epoch':17} {'before':>8} {'after':>8}")
    for name in before | later:
        print(f"{name:17} {before[name]:8} {later[name]:8}")


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
