"""Observe `largest_batch`: the number that comes back, or what left it, and the calls of `step`."""

import torch

from exercise_kit.contract import Observer
from exercise_kit.facts import describe
from exercise_kit.observers import attempt

_ERRORS = {"RuntimeError": RuntimeError, "ValueError": ValueError, "MemoryError": MemoryError}
_PATIENCE = 20_000
"""Calls, several times as many as there are sizes in any case."""


class _NeverEnds(BaseException):
    """Ends a search that goes round in circles, long before its time is up."""


class LargestBatch(Observer):
    """Facts: `strange`, the first size that is none; `stopped`, whether the search had to be;
    `escaped`, the type of the exception of `step` that came out, or else `size`, or `form`;
    `tried`, whether `step` was called; `larger`, a size that was tried and fits, though a smaller
    one came back; `calls` of step, but never fewer than are allowed.
    """

    needs_devices = False

    def observe(self, answer, inputs):
        sizes = []
        raised = []

        def step(size):
            sizes.append(describe(size))  # a whole number of NumPy's is one as well
            error = _error(size, inputs) if len(sizes) < _PATIENCE else _NeverEnds()
            if error is not None:
                raised.append(error)
                raise error

        came, escaped = attempt(lambda: answer(step, inputs["most"]), lambda e: e in raised)
        seen = describe(came)
        result = {"size": seen["value"]} if seen["type"] == "int" else {"form": seen}
        if escaped:
            result = {"escaped": type(escaped).__name__}
        most = inputs["most"]
        strange = [n for n in sizes if n["type"] != "int" or not 1 <= n["value"] <= most]
        back = result.get("size", most)
        values = [] if strange else [n["value"] for n in sizes]
        fits = [n for n in values if back < n <= inputs["limit"]]
        return {
            "strange": strange[:1],
            "stopped": len(sizes) >= _PATIENCE,
            **result,
            "tried": bool(sizes),
            "larger": max(fits, default=None),
            "calls": max(len(sizes), 2 * most.bit_length()),
        }


def _error(size, data):
    if data["breaks_at"] is not None and size >= data["breaks_at"]:
        return _ERRORS[data["error"]](data["text"])
    if size > data["limit"]:
        return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
    return None
