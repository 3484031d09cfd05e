"""`run_watched`: two ranks that end when both wait; `OnWatchedRanks`: an answer on such ranks."""

from typing import Any

from ..parallel.launching import RANKS, OnRanks, importing, run_ranks
from . import watched_ranks
from .waits import WAITS

_WATCH = importing(watched_ranks) + f"watched_ranks.watch({RANKS}, {WAITS!r}, tell)\n"
_IMPORTS = """
import os
import torch
import torch.distributed as dist
from torch import nn
"""


def run_watched(
    program: str, imports: str = "", name: str = "", cell: str = ""
) -> tuple[list[Any], str]:
    """`run_ranks`, with an error that begins with `WAITS` if both ranks wait for each other.

    The clock alone never says so. The lines are those of the program.
    """
    return run_ranks(program, RANKS, _WATCH + imports, name, cell)


class OnWatchedRanks(OnRanks):
    """Ranks that end when they wait for each other."""

    imports = _IMPORTS
    run = staticmethod(run_watched)
