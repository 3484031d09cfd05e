"""Observe `largest_batch`: the number that comes back, or what left it, and the calls of `step`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

_ERRORS = {"RuntimeError": RuntimeError, "ValueError": ValueError}


class LargestBatch(Observer):
    """Facts: `result`, or `left`, the type of the exception of `step` that came out; and `calls`.

    calls: the described sizes, in order; at most a few hundred.
    """

    parameters = ("step", "most")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        calls: list[Any] = []
        made: list[Exception] = []

        def step(size: int) -> None:
            calls.append(describe(size))
            if inputs["breaks_at"] is not None and size >= inputs["breaks_at"]:
                made.append(_ERRORS[inputs["error"]](inputs["text"]))
                raise made[-1]
            if size > inputs["limit"]:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

        try:
            result = answer(step, inputs["most"])
        except Exception as error:
            # The engine wraps what leaves an answer; the answer's own exception is its cause.
            left = error.__cause__
            if not isinstance(left, torch.OutOfMemoryError) and not any(
                left is one for one in made
            ):
                raise
            return {"left": type(left).__name__, "calls": calls[:400], "count": len(calls)}
        return {"result": describe(result), "calls": calls[:400], "count": len(calls)}


observer = LargestBatch()
