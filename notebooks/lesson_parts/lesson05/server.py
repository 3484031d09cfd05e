"""`on_server`: a command on the server of this lesson; `RECORDED`: the cards of a real server."""

import sys
from functools import partial

from tqdm import tqdm

from course_utils.experiments.children import Sight, run_bare_child
from course_utils.program.holes import after
from lesson_parts.project import pictures, run_files
from lesson_parts.waiting import waiting

RECORDED = Sight(
    "recorded, nothing set",
    ("RTX 3090", "RTX 3090", "TITAN RTX", "GV100", "A6000", "TITAN RTX", "A6000"),
    (4, 6, 0, 1, 3, 2, 5),
)
"""https://github.com/pytorch/pytorch/issues/80876, 5 July 2022. Equal cards are drawn in the order
of their slots, which the report does not show."""

_PROGRAM = """
import os, subprocess
os.environ.update({variables!r})
from lesson_parts.as_main import run_train
from lesson_parts.hosts import enter
enter("porto on Monday")
print(run_train({{folder!r}}, {{words!r}}) or f"train.py has the PID {{{{os.getpid()}}}}")
ask = ["nvidia-smi", "--query-compute-apps=pid,gpu_uuid", "--format=csv"]
print(subprocess.run(ask, capture_output=True, text=True).stdout)
"""
_OPTIONS = ("--epochs", "2", "--workers", "0", "--checkpoint", "checkpoint.pt")


def on_server(command: str) -> None:
    """Run `NAME=VALUE … python train.py OPTIONS` on the server, and print its output line by line.

    Before the program ends, nvidia-smi lists the processes that compute, with the UUIDs.
    """
    before, _, words = command.partition("python train.py")
    variables = [each.split("=", 1) for each in before.split()]
    options = [*words.split(), "--data", str(pictures()), *_OPTIONS]
    show = partial(tqdm.write, file=sys.stdout)  # above the bar
    with waiting("Training for two epochs", seconds=30):
        program = _PROGRAM.format(variables=variables)
        run_files(after("05"), options, program, partial(run_bare_child, show=show))
