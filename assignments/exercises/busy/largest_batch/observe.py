"""Observe `largest_batch`: the number that comes back, or what left it, and the calls of `step`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

_ERRORS = {"RuntimeError": RuntimeError, "ValueError": ValueError, "MemoryError": MemoryError}
_SHOWN = 400
_PATIENCE = 20_000
"""Calls, several times as many as there are sizes in any case."""


class _NeverEnds(BaseException):
    """Ends a search that goes round in circles, long before its time is up."""


class LargestBatch(Observer):
    """Facts: `result`, or `left`, the type of the exception of `step` that came out; `calls`, the
    first few hundred sizes, described; `count`, of all calls; and whether the search was `stopped`.
    """

    parameters = ("step", "most")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        sizes: list[Any] = []
        made: list[Exception] = []

        def step(size: int) -> None:
            sizes.append(size)
            if len(sizes) >= _PATIENCE:
                raise _NeverEnds
            if inputs["breaks_at"] is not None and size >= inputs["breaks_at"]:
                made.append(_ERRORS[inputs["error"]](inputs["text"]))
                raise made[-1]
            if size > inputs["limit"]:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

        facts: dict[str, Any] = {"stopped": False}
        try:
            facts["result"] = describe(answer(step, inputs["most"]))
        except Exception as error:
            # The engine wraps what leaves an answer; the answer's own exception is its cause.
            left = error.__cause__
            if not isinstance(left, torch.OutOfMemoryError | _NeverEnds) and not any(
                left is one for one in made
            ):
                raise
            facts |= {"left": type(left).__name__, "stopped": isinstance(left, _NeverEnds)}
        return facts | {"calls": [describe(size) for size in sizes[:_SHOWN]], "count": len(sizes)}


observer = LargestBatch()
