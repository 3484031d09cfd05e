"""Observe the exercises whose answer is called once: plain values in, plain values out."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class CheckLoader(Observer):
    """Facts: the problems that were found, and whether the settings are as they were."""

    name = "feeding.check_loader"
    parameters = ("settings", "cpus")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        settings = copy.deepcopy(data["settings"])
        problems = answer(settings, data["cpus"])
        return {"problems": describe(problems), "unchanged": settings == data["settings"]}


class EpochTime(Observer):
    """Facts: the predicted time, and whether the list of loading times is as it was."""

    name = "feeding.epoch_time"
    parameters = ("loads", "compute", "workers", "prefetch", "startup")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        loads = list(data["loads"])
        time = answer(loads, *(data[name] for name in self.parameters[1:]))
        return {"time": describe(time), "unchanged": loads == data["loads"]}


class PredictCopy(Observer):
    """Facts: the prediction."""

    name = "feeding.predict_copy"
    parameters = ("source", "pinned", "target", "non_blocking")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"predicted": describe(answer(*(data[name] for name in self.parameters)))}


class ReadWorkerError(Observer):
    """Facts: what was read out of the message."""

    name = "feeding.read_worker_error"
    parameters = ("message",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"read": describe(answer(data["message"]))}
