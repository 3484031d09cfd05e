"""Processes and their descendants."""

from __future__ import annotations

from contextlib import suppress

import psutil

from exercise_kit.programs.launcher import Running

_PATIENCE = 10.0  # seconds


def end_family(process: Running) -> None:
    """Kill a process and its descendants in any session: ranks, workers of DataLoaders."""
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(process.pid)
        family = [first, *first.children(recursive=True)]
        for member in family:
            with suppress(psutil.NoSuchProcess):
                member.kill()
        psutil.wait_procs(family[1:], timeout=_PATIENCE)
