"""`epoch_waits`: which functions of train.py wait for the GPU, before lesson 02 and after it."""

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from course_utils.errors import CourseError
from course_utils.experiments.children import run_child
from course_utils.program.holes import after
from lesson_parts.project import pictures, run_files

_PROGRAM = """
import warnings
import torch
from lesson_parts.as_main import run_train
torch.cuda.set_sync_debug_mode("warn")
with warnings.catch_warnings(record=True, action="always") as caught:
    print(run_train({folder!r}, {words!r}) or "done")
waits = [each for each in caught if "synchronizing" in str(each.message)]
print(*[each.lineno for each in waits if each.filename.endswith("train.py")])
"""
_OPTIONS = ("--device", "cuda:1", "--epochs", "1", "--workers", "0", "--checkpoint", "run.pt")


def epoch_waits() -> None:
    """Print how often each function of train.py waits for its GPU in an epoch.

    Before: the program as lesson 01 leaves it. After: with the `train_epoch` of the course.
    """
    waits = partial(_waits, ["--data", str(pictures()), *_OPTIONS])
    with ThreadPoolExecutor(2) as pool:
        before, later = pool.map(waits, (after("01"), after("02")))
    print(f"{'waits in an epoch':17} {'before':>8} {'after':>8}")
    for name in before | later:
        print(f"{name:17} {before[name]:8} {later[name]:8}")


def _waits(words: Sequence[str], files: Mapping[str, str]) -> Counter[str]:
    printed = run_files(files, words, _PROGRAM, run_child)
    end, lines = printed.splitlines()[-2:]
    if end != "done":
        raise CourseError(f"train.py did not come to its end: {printed}")
    found = Counter(map(int, lines.split()))
    return +Counter(
        {
            part.name: sum(found[line] for line in range(part.lineno, (part.end_lineno or 0) + 1))
            for part in ast.parse(files["train.py"]).body
            if isinstance(part, ast.FunctionDef)
        }
    )
