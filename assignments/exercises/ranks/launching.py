"""`run_watched`: two ranks that end when both wait; `OnWatchedRanks`: an answer on such ranks."""

import json
from typing import Any

from ..parallel.launching import RANKS, OnRanks, importing, run_ranks
from ..parallel.one_rank import ANSWER
from . import watched_ranks
from .waits import WAITS

_WATCH = importing(watched_ranks) + f"watched_ranks.watch({RANKS}, {WAITS!r}, {ANSWER!r}, tell)\n"
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

    The clock alone never says so. The lines are those of the program, or texts of the answer's.
    """
    return run_ranks(program, RANKS, _WATCH + imports, name, cell)


class OnWatchedRanks(OnRanks):
    """Ranks that end when they wait for each other. The error names the answer's lines."""

    imports = _IMPORTS

    @staticmethod
    def run(program: str, **answer: str) -> tuple[list[Any], str]:
        """`run_watched`, in which a line of the program is outside the answer."""
        found, error = run_watched(program, **answer)
        if error.startswith(WAITS):
            where = (
                f"in `{line}`" if isinstance(line, str) else "outside your function"
                for line in json.loads(error[len(WAITS) :])
            )
            error = WAITS + ", ".join(f"rank {rank} {each}" for rank, each in enumerate(where))
        return found, error
