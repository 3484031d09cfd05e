"""Observe `tensors.read_error`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class ReadError(Observer):
    """Facts: what was read out of the message."""

    name = "tensors.read_error"
    parameters = ("message",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"read": describe(answer(data["message"]))}
