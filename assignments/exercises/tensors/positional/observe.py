"""Observe `positional`: the table, what was copied for it, and the default device afterwards."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

from ..observing import routes


class Positional(Observer):
    """Facts: `table`, `copies` between devices, and `default_kept`."""

    parameters = ("n", "d", "device")

    def prepare(self, data: Mapping[str, Any]) -> tuple[int, int, torch.device]:
        return data["n"], data["d"], torch.device(data["device"])

    def observe(self, answer: Callable[..., Any], inputs: tuple[int, int, torch.device]) -> Facts:
        default = torch.get_default_device()
        with count_copies() as copies:
            table = answer(*inputs)
        return {
            "default_kept": torch.get_default_device() == default,
            "copies": routes(copies.by_route),
            "table": describe(table),
        }


observer = Positional()
