"""For a child process: run train.py as a program, between lines of the lesson's own code."""

import os
import runpy
import sys
from collections.abc import Sequence


def run_train(folder: str, words: Sequence[str]) -> object:
    """Run the train.py in `folder` with these options; returns its exit code or None."""
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = ["train.py", *words]
    try:
        runpy.run_path("train.py", run_name="__main__")
    except SystemExit as end:
        return end.code
    return None
