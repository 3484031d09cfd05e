"""`run_on_server`: a run of train.py on a virtual server, and then what nvidia-smi shows there."""

from collections.abc import Mapping
from functools import partial

from course_utils.experiments.children import run_bare_child
from lesson_parts.project import pictures, run_files
from lesson_parts.waiting import waiting

_PROGRAM = """
import os, subprocess
os.environ.update({variables})
from lesson_parts import hosts
from lesson_parts.as_main import run_train
{arrive}
print(run_train({{folder!r}}, {{words!r}}) or f"train.py has the PID {{{{os.getpid()}}}}")
{look}
"""
_OPTIONS = ("--epochs", "2", "--workers", "0", "--checkpoint", "checkpoint.pt")


def run_on_server(
    arrive: str, look: str, files: Mapping[str, str], words: str, seconds: float, *variables: str
) -> None:
    """Run train.py with the options `words`, and print its output line by line.

    arrive, look: statements of the child process before and after the run. files: the texts of
    train.py and its other files. seconds: about how long it takes. variables: of the environment,
    as NAME=VALUE.
    """
    pairs = [each.split("=", 1) for each in variables]
    program = _PROGRAM.format(variables=pairs, arrive=arrive, look=look)
    options = [*words.split(), "--data", str(pictures()), *_OPTIONS]
    with waiting("Training for two epochs", seconds):
        run_files(files, options, program, partial(run_bare_child, show=print))
