"""Programs of tests in processes of their own, which do not each have to import torch."""

import os
from pathlib import Path

from course_utils.experiments.fork_server import start_program
from exercise_kit.programs.launcher import read


def fresh(program: str, **variables: str) -> str:
    """What it prints, its warnings and a traceback included."""
    with start_program(["-c", program], {**os.environ, **variables}, Path.cwd()) as process:
        printed, ended = read(process, 600)
    assert ended, printed
    return printed
