"""What is counted inside of a training program: a file for `exercise_kit.programs.within.Watched`.

It imports nothing of the course, so that the program finds what it imports as ever.
"""

import contextlib
from typing import Any

import torch

import virtual_cuda

_kept = contextlib.ExitStack()
_found: dict[str, Any] = {}


def begin() -> None:
    """Look on from here, if there are virtual GPUs."""
    if virtual_cuda.is_enabled():
        _found["trace"] = _kept.enter_context(virtual_cuda.trace())


def end() -> dict[str, Any]:
    """Facts, of the GPUs by their numbers.

    used: those that held tensors. hazards: uses of memory that waited for nothing, in words.
    given_away: memory that was free for others while it was used. copying, overlapping: µs that
    copies from the host took, and in which a GPU computed meanwhile. waits: how often the host
    waited.
    """
    gpus = range(torch.cuda.device_count() if torch.cuda.is_initialized() else 0)
    facts: dict[str, Any] = {"used": [n for n in gpus if torch.cuda.max_memory_allocated(n)]}
    trace = _found.get("trace")
    if trace is None or not gpus:
        return facts
    for gpu in gpus:
        torch.cuda.synchronize(gpu)
    _kept.close()
    copies = [w for w in trace.intervals if w.engine == "H2D"]
    kernels = [w for w in trace.intervals if w.engine == "compute"]
    waits = [w for w in trace.host if "wait" in w.name or "synchronize" in w.name]
    return facts | {
        "hazards": [str(hazard) for hazard in trace.hazards[:3]],
        "given_away": [str(hazard) for hazard in trace.early_frees[:3]],
        "copying": sum(work.end - work.start for work in copies),
        "overlapping": _overlap(copies, kernels),
        "waits": len(waits),
    }


def _overlap(copies: list[Any], kernels: list[Any]) -> float:
    """µs; each list is in the order of time, and its own spans do not overlap."""
    total, at = 0.0, 0
    for copy in copies:
        while at < len(kernels) and kernels[at].end <= copy.start:
            at += 1
        number = at
        while number < len(kernels) and kernels[number].start < copy.end:
            kernel = kernels[number]
            total += min(copy.end, kernel.end) - max(copy.start, kernel.start)
            number += 1
    return total
