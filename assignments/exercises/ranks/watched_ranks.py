"""`watch`: in each of several ranks, end the rank if all of them wait for each other."""

import json
import linecache
import os
import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import virtual_cuda

Tell = Callable[[list[Any]], None]
Note = list[Any]
_FROM_TORCH = tuple(os.path.dirname(str(each.__file__)) for each in (torch, virtual_cuda))


def watch(ranks: int, waits: str, answer: str, tell: Tell) -> None:
    """Start a thread that notes twice a second where this rank is. All ranks share a folder.

    If all ranks are inside a call of torch, no thread of theirs is ready to run, and none has used
    processor time since the note before (waiting itself needs a millisecond), this one ends: its
    error is `waits`, then by rank the number of the program's line, or the text of a line of the
    file `answer`, and `tell` writes it. On a busy computer, a rank that works may get no time
    either, but then it has a thread that is ready. Needs Linux.
    """
    main = threading.main_thread().ident
    assert main is not None
    # A `Thread` would show its arguments.
    start_new_thread(_watch, (ranks, waits, answer, tell, main))


def _watch(ranks: int, waits: str, answer: str, tell: Tell, main: int) -> None:
    rank, home = os.environ["RANK"], Path.cwd()
    part, note = (home / f"{name}-{rank}.json" for name in ("part", "look"))
    before: dict[int, Note] = {}
    while True:
        try:
            part.write_text(json.dumps(_note(main, answer)))
            os.replace(part, note)
            time.sleep(0.5)
            left = [r for r in range(ranks) if not (home / f"rank-{r}.json").exists()]
            now = {r: json.loads((home / f"look-{r}.json").read_text()) for r in left}
        except OSError:
            continue
        if len(before) == len(now) == ranks and all(_same(before[r], now[r]) for r in now):
            lines = [now[r][0] for r in sorted(now)]
            tell([None, f"{waits}{json.dumps(lines)}"])
            os._exit(3)
        before = now


def _note(main: int, answer: str) -> Note:
    """The line, whether it waits, its other threads' processor time, the time."""
    line: int | str
    frame, line = sys._current_frames().get(main), 0
    threads = Path("/proc/self/task").glob("*/stat")
    ready = [one for one in threads if ") R " in one.read_text()][1:]  # one is this thread
    inside = frame is not None and frame.f_code.co_filename.startswith(_FROM_TORCH)
    while frame and not line:
        if frame.f_code.co_filename == answer:
            line = linecache.getline(answer, frame.f_lineno).strip()
        elif frame.f_code.co_filename == sys.argv[0]:
            line = frame.f_lineno
        frame = frame.f_back
    return [line, inside and not ready, time.process_time() - time.thread_time(), time.monotonic()]


def _same(one: Note, other: Note) -> bool:
    """Whether a rank waited between two notes, the other one made later.

    A rank that gets no time leaves its old note.
    """
    alike = one[:2] == other[:2] and bool(other[1]) and other[3] > one[3]
    return alike and other[2] - one[2] < 0.02
