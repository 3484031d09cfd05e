"""Observe `rank_device`: the device that came back, or the exception, on a machine made up."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe


class Accelerator:
    """Three functions of `torch.accelerator`, on a machine with `count` devices of a type.

    asked: whether one of the first two was called.
    """

    def __init__(self, kind: str, count: int) -> None:
        self._kind, self._count = kind, count
        self.asked = False

    def is_available(self) -> bool:
        self.asked = True
        return self._count > 0

    def device_count(self) -> int:
        self.asked = True
        return self._count

    def current_accelerator(self, check_available: bool = False) -> torch.device | None:
        self.asked |= check_available
        if check_available and not self._count:
            return None
        return torch.device(self._kind)


class RankDevice(Observer):
    """Facts: `result`, or `refused` if a ValueError came; and whether the machine was `asked`."""

    parameters = ("environ", "accelerator")
    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        environ = dict(inputs["environ"])
        accelerator = Accelerator(inputs["kind"], inputs["count"])
        try:
            result = answer(environ, accelerator)
        except Exception as error:
            if isinstance(error.__cause__, ValueError):
                return {"refused": str(error.__cause__)[:200], "asked": accelerator.asked}
            raise
        return {
            "result": describe(result),
            "changed": environ != inputs["environ"],
            "asked": accelerator.asked,
        }
