"""Observe `modules.after_to`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class AfterTo(Observer):
    """Facts: the prediction. The truth is the judge's affair: see `course_utils.judging`."""

    name = "modules.after_to"
    parameters = ("device", "dtype", "arguments", "flag")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        said = answer(data["device"], data["dtype"], dict(data["arguments"]), data["flag"])
        return {"prediction": describe(said)}
