"""Observe `mend_flags`: the results, and what the call changed or copied."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies


class MendFlags(Observer):
    """Facts: `result`; `batch` and `steps` as they are afterwards; `current`, the current device
    afterwards; `copies`, a list of source, target, number and bytes; `moved`, whether "move" is the
    memory of `batch`.
    """

    parameters = ("steps", "batch", "device")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        steps, before = list(inputs["steps"]), torch.cuda.current_device()
        batch = torch.tensor(inputs["values"], device=inputs["place"])
        torch.cuda.set_device(inputs["current"])
        try:
            with count_copies() as copies:
                result = answer(steps, batch, torch.device(inputs["device"]))
            current = torch.cuda.current_device()
        finally:
            torch.cuda.set_device(before)
        return {
            "result": describe(result),
            "batch": describe(batch),
            "steps": steps,
            "current": current,
            "copies": [
                [*route, number, copies.bytes_by_route[route]]
                for route, number in copies.by_route.items()
            ],
            "moved": _shared(result, batch),
        }


def _shared(result: Any, batch: torch.Tensor) -> bool:
    moved = result.get("move") if isinstance(result, dict) else None
    return isinstance(moved, torch.Tensor) and moved.data_ptr() == batch.data_ptr()


observer = MendFlags()
