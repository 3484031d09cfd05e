"""Observe the exercises of this assignment that need no device: what is returned is the fact."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class FinishTime(Observer):
    """Facts: the time."""

    name = "parallel.finish_time"
    parameters = ("jobs", "workers", "t_find", "t_work", "t_collect", "days")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        values = (data[name] for name in ("jobs", "workers", "find", "work", "collect", "days"))
        return {"time": describe(answer(*values))}


class SplitSizes(Observer):
    """Facts: the predicted lengths."""

    name = "parallel.split_sizes"
    parameters = ("shape", "gpus", "dim")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"sizes": describe(answer(tuple(data["shape"]), data["gpus"], data["dim"]))}


class CheckWrap(Observer):
    """Facts: the verdict."""

    name = "parallel.check_wrap"
    parameters = ("param_devices", "device_ids", "n_visible")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        ids = None if data["device_ids"] is None else list(data["device_ids"])
        return {"verdict": describe(answer(list(data["param_devices"]), ids, data["n_visible"]))}


class PredictWrap(Observer):
    """Facts: the prediction. The truth is the judge's affair: see `course_utils.judging`."""

    name = "parallel.predict_wrap"
    parameters = ("wraps", "gpus", "batch", "calls")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        said = answer(*(data[name] for name in self.parameters))
        if type(said) is dict:  # a shape may be given as torch gives it
            said = {k: list(v) if isinstance(v, torch.Size) else v for k, v in said.items()}
        return {"prediction": describe(said)}


class StepOrder(Observer):
    """Facts: the ordered phases, and the list that was given, afterwards."""

    name = "parallel.step_order"
    parameters = ("phases",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        phases = list(data["phases"])
        ordered = answer(phases)
        return {"ordered": describe(ordered), "after": describe(phases)}


class ReadParallelError(Observer):
    """Facts: what was read out of the message."""

    name = "parallel.read_parallel_error"
    parameters = ("message",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"read": describe(answer(data["message"]))}
