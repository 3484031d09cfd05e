"""Observe `tensors.add_on` and `tensors.cheapest`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.tensors.material import build, routes
from course_utils.experiments.copies import count_copies


class Addition(Observer):
    """Facts: the sum, the copies between devices, and both operands afterwards."""

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        a, b = build(data["a"]), build(data["b"])
        more = [data[name] for name in self.parameters[2:]]
        with count_copies() as copies:
            result = answer(a, b, *more)
        return {
            "copies": routes(copies.by_route),
            "result": describe(result),
            "after": [describe(a), describe(b)],
        }


class AddOn(Addition):
    """The place is named: "a", "b" or "cpu"."""

    name = "tensors.add_on"
    parameters = ("a", "b", "where")


class Cheapest(Addition):
    """The place is to be chosen."""

    name = "tensors.cheapest"
    parameters = ("a", "b")
