"""Programs of tests in processes of their own, which do not each have to import torch."""

import os

from course_utils.experiments.fork_server import run_python


def fresh(program: str, **variables: str) -> str:
    """What it prints, its warnings and a traceback included."""
    return run_python(program, {**os.environ, **variables}, [], 600)
