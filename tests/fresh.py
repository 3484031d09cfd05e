"""Programs of tests in new processes that need not import torch again: forks."""

import os
from pathlib import Path

from course_utils.experiments.fork_server import start_program
from exercise_kit.programs.launcher import read


def fresh(program: str, **variables: str) -> str:
    """The output of a program, with warnings and a traceback."""
    with start_program(["-c", program], {**os.environ, **variables}, Path.cwd()) as process:
        printed, ended = read(process, 600)
    assert ended, printed
    return printed
