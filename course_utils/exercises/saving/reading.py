"""Observe `saving.read_load_error` and `saving.predict_map`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class ReadLoadError(Observer):
    """Facts: what was read out of the message."""

    name = "saving.read_load_error"
    parameters = ("message",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        return {"read": describe(answer(data["message"]))}


class PredictMap(Observer):
    """Facts: the prediction. The truth is the judge's affair: see `course_utils.judging`."""

    name = "saving.predict_map"
    parameters = ("tag", "form", "value", "gpus")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        value = data["value"]
        given = dict(value) if isinstance(value, Mapping) else value
        return {"prediction": describe(answer(data["tag"], data["form"], given, data["gpus"]))}
