"""Observe `tensors.predict_to`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


class PredictTo(Observer):
    """Facts: the prediction. The truth is the judge's affair: see `course_utils.judging`."""

    name = "tensors.predict_to"
    parameters = ("device", "dtype", "method", "arguments")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        arguments = dict(data["arguments"])
        if "other" in arguments:
            arguments["other"] = tuple(arguments["other"])
        prediction = answer(data["device"], data["dtype"], data["method"], arguments)
        return {"prediction": describe(prediction)}
