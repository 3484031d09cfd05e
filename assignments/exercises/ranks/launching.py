"""`run_watched`: two ranks that end when both wait; `OnWatchedRanks`: an answer on such ranks."""

from typing import Any

from ..parallel.launching import RANKS, OnRanks, run_ranks
from .waits import WAITS

# Each rank notes twice a second where it is, and the processor time of its other threads. If all
# ranks are inside a call of torch, no thread of theirs is ready to run, and none has used processor
# time since the note before (waiting itself needs a millisecond), it ends. On a busy computer, a
# rank that works may get no time either, but then it has a thread that is ready.
_WATCH = f"""
def _watch():
    import json, os, pathlib, sys, threading, time, torch
    rank, main, home = os.environ["RANK"], threading.main_thread().ident, pathlib.Path.cwd()
    inside = tuple(os.path.dirname(each.__file__) for each in (torch, virtual_cuda))
    def note():
        frame, line = sys._current_frames()[main], 0
        threads = pathlib.Path("/proc/self/task").glob("*/stat")  # of Linux
        ready = [one for one in threads if ") R " in one.read_text()][1:]  # one is this thread
        waits = frame.f_code.co_filename.startswith(inside) and not ready
        while frame:
            if frame.f_code.co_filename == sys.argv[0]:
                line = line or frame.f_lineno
            frame = frame.f_back
        return [line, waits, time.process_time() - time.thread_time(), time.monotonic()]
    def same(one, other):  # and later: a rank that gets no time leaves its old note
        alike = one[:2] == other[:2] and other[1] and other[3] > one[3]
        return alike and other[2] - one[2] < 0.02
    def others():
        left = [r for r in range({RANKS}) if not (home / f"rank-{{r}}.json").exists()]
        return {{r: home / f"look-{{r}}.json" for r in left}}
    before = None
    while True:
        part = home / f"part-{{rank}}.json"
        try:
            part.write_text(json.dumps(note()))
            os.replace(part, home / f"look-{{rank}}.json")
            time.sleep(0.5)
            now = {{r: json.loads(file.read_text()) for r, file in others().items()}}
        except OSError:
            continue
        if before and len(now) == {RANKS} and all(same(before[r], now[r]) for r in now):
            lines = [now[r][0] for r in sorted(now)]
            (home / f"rank-{{rank}}.json").write_text(json.dumps([None, f"{WAITS}{{lines}}"]))
            os._exit(3)
        before = now if len(now) == {RANKS} else None
import threading
import virtual_cuda
threading.Thread(target=_watch, daemon=True).start()
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
