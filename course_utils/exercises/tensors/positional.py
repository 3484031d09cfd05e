"""Observe `tensors.positional`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.tensors.material import routes
from course_utils.experiments.copies import count_copies


class Positional(Observer):
    """Facts: the table, the copies between devices, and the default device afterwards."""

    name = "tensors.positional"
    parameters = ("n", "d", "device")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        default = torch.get_default_device()
        with count_copies() as copies:
            table = answer(data["n"], data["d"], torch.device(data["device"]))
        return {
            "default_kept": torch.get_default_device() == default,
            "copies": routes(copies.by_route),
            "table": describe(table),
        }
