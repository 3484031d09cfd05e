"""`epoch_waits`: which functions of train.py wait for the GPU, before lesson 02 and after it."""

import ast
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from course_utils.errors import CourseError
from course_utils.experiments.children import run_child
from course_utils.program.holes import after
from lesson_parts.project import project_home
from lesson_parts.shapes import draw_shapes

_PROGRAM = """
import os, runpy, sys, warnings
import torch
os.chdir({folder!r})
sys.path.insert(0, {folder!r})
sys.argv = ["train.py", *{words!r}]
torch.cuda.set_sync_debug_mode("warn")
with warnings.catch_warnings(record=True, action="always") as caught:
    try:
        runpy.run_path("train.py", run_name="__main__")
    except SystemExit as end:
        print(end.code or "done")
waits = [each for each in caught if "synchronizing" in str(each.message)]
print(*[each.lineno for each in waits if each.filename.endswith("train.py")])
"""
_OPTIONS = ("--device", "cuda:1", "--epochs", "1", "--workers", "0", "--checkpoint", "run.pt")


def epoch_waits() -> None:
    """Print how often each function of train.py waits for its GPU in an epoch.

    Before: the program as lesson 01 leaves it. After: with the `train_epoch` of the course.
    """
    draw_shapes(project_home() / "shapes")
    with ThreadPoolExecutor(2) as pool:
        before, later = pool.map(_waits, (after("01"), after("02")))
    print(f"{'waits in an epoch':17} {'before':>8} {'after':>8}")
    for name in before | later:
        print(f"{name:17} {before[name]:8} {later[name]:8}")


def _waits(files: Mapping[str, str]) -> Counter[str]:
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        words = ["--data", str(project_home() / "shapes"), *_OPTIONS]
        printed = run_child(_PROGRAM.format(folder=folder, words=words))
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
