"""Observe `mend_mismatch`: the error that it returns, and what was copied for it."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

from ..observing import build, routes


class MendMismatch(Observer):
    """Facts: `result`, `copies` and their `bytes`, `changed`, arguments not as before, and `read`.

    `read` is the number of single numbers that were fetched from a GPU.
    """

    parameters = ("batches", "targets", "weight", "mean")

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        return [build(data[name]) for name in self.parameters]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        before = [describe(value) for value in inputs]
        with count_copies() as copies:
            result = answer(*inputs)
        pairs = zip(self.parameters, before, inputs, strict=True)
        return {
            "result": describe(result),
            "copies": routes(copies.by_route),
            "bytes": routes(copies.bytes_by_route),
            "read": copies.numbers_read,
            "changed": [name for name, old, value in pairs if describe(value) != old],
        }


observer = MendMismatch()
