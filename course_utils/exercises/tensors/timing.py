"""Observe `tensors.timing_order` and `tensors.measured_time`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class TimingOrder(Observer):
    """Facts: the ordered steps, and the list that was given, afterwards."""

    name = "tensors.timing_order"
    parameters = ("steps",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        steps = list(data["steps"])
        ordered = answer(steps)
        return {"ordered": describe(ordered), "after": describe(steps)}


class MeasuredTime(Observer):
    """Facts: the predicted time."""

    name = "tensors.measured_time"
    parameters = ("program", "launch", "kernel")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        time = answer(list(data["program"]), data["launch"], data["kernel"])
        return {"time": describe(time)}
