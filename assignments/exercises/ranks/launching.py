"""`run_watched`: two ranks that end when both wait; `OnWatchedRanks`: an answer on such ranks."""

from typing import Any

from ..parallel.launching import RANKS, OnRanks, importing, run_ranks
from . import watched_ranks
from .waits import WAITS

_WATCH = importing(watched_ranks) + f"watched_ranks.watch({RANKS}, {WAITS!r})\n"
_TELLING = """
facts = watched_ranks.telling(facts)
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
    """Ranks that end when they wait for each other. An error names the answer's line."""

    imports = _IMPORTS

    @staticmethod
    def run(program: str) -> tuple[list[Any], str]:
        """`run_watched` of a program with the answer before `def facts()`."""
        found, error = run_watched(program + _TELLING)
        if error.startswith(WAITS):
            lines = program.partition("\ndef facts():")[0].splitlines()
            at = [int(line) - 1 for line in error[len(WAITS) :].strip("[]").split(",")]
            where = (
                f"in `{lines[line].strip()}`" if line < len(lines) else "outside your function"
                for line in at
            )
            error = WAITS + ", ".join(f"rank {rank} {each}" for rank, each in enumerate(where))
        return found, error
