"""The assignment for benchmarks of grading: seven exercises of the course, none of train.py."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from course_utils.manifest import repository_root

NAME = "99_bench"
_SEVEN = (
    "tensors.fix_mismatch",
    "tensors.move_batch",
    "modules.build_on",
    "machine.where_new",
    "freest.held_by",
    "freest.who_gets",
    "parallel.split_sizes",
)
_ENTRIES = f"""
[[lessons]]
number = "99"
name = "seven_exercises"
title = "Seven exercises"
goal = "measure"
minutes = 60
prerequisites = []
assignment = "{NAME}"
concepts = []
errata = []

[[assignments]]
name = "{NAME}"
title = "Seven exercises"
lesson = "99"

"""
_LEFT_OUT = shutil.ignore_patterns(".*", "_build", "__pycache__", "*.egg-info", "submitted")


def make_course(root: Path) -> None:
    """A copy of the course, in the new folder `root`, with this assignment and its lesson added."""
    shutil.copytree(repository_root(), root, ignore=_LEFT_OUT)
    manifest, exercises = root / "course.toml", root / "assignments" / "exercises"
    text = manifest.read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=\[\[)", text)
    added = [_ENTRIES]
    for name in _SEVEN:
        topic, short = name.split(".")
        shutil.copytree(exercises / topic / short, exercises / "bench" / short)
        for file in (exercises / "bench" / short).rglob("*.*"):
            content = file.read_text("utf-8").replace(name, f"bench.{short}")
            content = content.replace("from ..", f"from ...{topic}.")  # the topic's shared files
            file.write_text(content, "utf-8")
        entry = next(each for each in entries if f'name = "{name}"' in each)
        added.append(entry.replace(name, f"bench.{short}"))
    manifest.write_text(text + "".join(added), encoding="utf-8")
    texts = root / "assignments" / "text"
    shutil.copy(texts / "02_tensors.py", texts / f"{NAME}.py")
    run_in(root, [Path(sys.executable).with_name("course"), "build", NAME])


def run_in(root: Path, command: Sequence[str | Path]) -> None:
    """Run a command on the course at `root`."""
    subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=True)
