"""Runs of a program under a limit of memory, for `why_oom`.

A new process imports this file. It has one virtual GPU, and is rank 0 in a group whose other ranks
do not exist: the memory is that of a real rank, and the values are right only where it is alone.
"""

import gc
from collections import Counter
from typing import Any

import torch
import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore

_MIB = 2**20
_FILE = "run.py"


def played(
    source: str, limit: int | None, alone: bool = False, lines: bool = False
) -> dict[str, Any]:
    """The facts of a run that may take so many MiB.

    alone: whether the group has one rank, whatever the program says. lines: whether the lines that
    allocated memory are noted. error: of too little memory, or "". line: where it was raised. used:
    the MiB at that moment, by the program's line that allocated them. most: the largest number of
    MiB taken from the GPU. trained, checked: the losses, as numbers or a text.
    """

    def one_of(ranks: int) -> None:
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=1 if alone else ranks)

    torch.set_num_threads(1)
    names: dict[str, Any] = {"one_of": one_of}
    total = torch.cuda.get_device_properties(0).total_memory
    gc.collect()  # what an earlier run has left
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.set_per_process_memory_fraction(limit * _MIB / total if limit else 1.0)
    error, line, used = "", 0, Counter[int]()
    try:
        if lines:
            torch.cuda.memory._record_memory_history(stacks="python")
        exec(compile(source, _FILE, "exec"), names)
    except torch.OutOfMemoryError as raised:
        error, line, used = str(raised), _line(raised), _used()
    finally:
        if lines:
            torch.cuda.memory._record_memory_history(enabled=None)
        if dist.is_initialized():
            dist.destroy_process_group()
    losses = {name: _numbers(names.get(name)) for name in ("trained", "checked")}
    names.clear()  # a cycle: its functions hold their globals
    return {
        "error": error,
        "line": line,
        "used": sorted((line, size / _MIB) for line, size in used.items()),
        "most": torch.cuda.max_memory_reserved() / _MIB,
        **losses,
    }


def _line(error: BaseException) -> int:
    """The program's outermost line in a traceback."""
    at = error.__traceback__
    while at and at.tb_frame.f_code.co_filename != _FILE:
        at = at.tb_next
    return at.tb_lineno if at else 0


def _used() -> Counter[int]:
    """The bytes in use, by the program's innermost line that allocated them."""
    used = Counter[int]()
    for segment in torch.cuda.memory._snapshot()["segments"]:
        for block in segment["blocks"]:
            lines = [f["line"] for f in block.get("frames", ()) if f["filename"] == _FILE]
            if block["state"] == "active_allocated" and lines:
                used[lines[0]] += block["requested_size"]
    return used


def _numbers(losses: Any) -> list[float] | str:
    try:
        return [float(loss) for loss in losses]
    except (TypeError, ValueError, RuntimeError):
        return f"of type {type(losses).__name__}"


def fitting(source: str, sound: str, limit: int, ranks: int) -> list[dict[str, Any]]:
    """The facts of a program with its limit; if it fits, those without one where it is alone, and
    those of the sound program."""
    seen = played(source, limit)
    if seen["error"]:
        return [seen, {}, {}]
    return [seen, seen if ranks == 1 else played(source, None, True), played(sound, None, True)]
