"""Observe `visible.in_force` and `visible.read_visible_error`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.visible.material import same_environment


class InForce(Observer):
    """Facts: the prediction. The truth is the judge's affair: see `course_utils.judging`."""

    name = "visible.in_force"
    parameters = ("start", "events")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        events = [tuple(event) for event in data["events"]]
        with same_environment():
            return {"prediction": describe(answer(data["start"], events))}


class ReadVisibleError(Observer):
    """Facts: what was read out of the message."""

    name = "visible.read_visible_error"
    parameters = ("message",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"read": describe(answer(data["message"]))}
