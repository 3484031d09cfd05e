"""`run_watched`: two ranks that end when both wait; `OnWatchedRanks`: an answer on such ranks."""

import sys
from pathlib import Path
from typing import Any

from ..parallel.launching import RANKS, OnRanks, run_ranks
from . import watched_ranks
from .waits import WAITS

# What the text of a program does counts as the learner's, so this is a module. In a sandbox, where
# its file cannot be read, programs are forks of this process and find it here.
sys.modules[watched_ranks.__name__.rpartition(".")[2]] = watched_ranks
_WATCH = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from watched_ranks import watch
del sys.path[0]
watch({RANKS}, {WAITS!r})
"""
_IMPORTS = """
import os
import torch
import torch.distributed as dist
from torch import nn
"""


def run_watched(program: str) -> tuple[list[Any], str]:
    """`run_ranks`, with an error that begins with `WAITS` if both ranks wait for each other.

    The clock alone never says so. The lines are those of the program.
    """
    found, error = run_ranks(_WATCH + program)
    if error.startswith(WAITS):
        shift = _WATCH.count("\n")
        lines = [int(line) - shift for line in error[len(WAITS) :].strip("[]").split(",")]
        error = f"{WAITS}{lines}"
    return found, error


class OnWatchedRanks(OnRanks):
    """Ranks that end when they wait for each other."""

    imports = _IMPORTS
    run = staticmethod(run_watched)
