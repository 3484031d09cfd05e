"""Observe `rank_device`: the device that came back, or the exception, on a machine made up."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class Accelerator:
    """Three functions of `torch.accelerator`, on a machine with `count` devices of a type."""

    def __init__(self, kind: str, count: int) -> None:
        self._kind, self._count = kind, count

    def is_available(self) -> bool:
        return self._count > 0

    def device_count(self) -> int:
        return self._count

    def current_accelerator(self, check_available: bool = False) -> torch.device | None:
        if check_available and not self._count:
            return None
        return torch.device(self._kind)


class RankDevice(Observer):
    """Facts: `result`, or `refused` if a ValueError came."""

    parameters = ("environ", "accelerator")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        environ = dict(inputs["environ"])
        try:
            result = answer(environ, Accelerator(inputs["kind"], inputs["count"]))
        except Exception as error:
            if isinstance(error.__cause__, ValueError):
                return {"refused": str(error.__cause__)[:200]}
            raise
        return {"result": describe(result), "changed": environ != inputs["environ"]}


observer = RankDevice()
