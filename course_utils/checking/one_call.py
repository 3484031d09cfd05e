"""The observer of the common case: the answer is called once, with the data of the case."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe


def rows_as_tuples(value: Any) -> Any:
    """A list with each list in it as a tuple, which JSON does not have; anything else as it is."""
    if not isinstance(value, list):
        return value
    return [tuple(row) if isinstance(row, list) else row for row in value]


class OneCall(Observer):
    """Facts: `result`, described, and `changed`, the names of the inputs that are not as before.

    parameters: the names of the answer's parameters; the data of a case has them as keys.
    make: what turns a value of the data into the object that the answer gets (default: itself).
    """

    needs_devices = False

    def __init__(
        self, *parameters: str, make: Callable[[Any], Any] | None = None, seconds: float = 5.0
    ) -> None:
        self.parameters, self.seconds, self._make = parameters, seconds, make

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        values = [copy.deepcopy(data[name]) for name in self.parameters]
        return values if self._make is None else [self._make(value) for value in values]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        before = [describe(value) for value in inputs]
        result = answer(*inputs)
        pairs = zip(self.parameters, before, inputs, strict=True)
        changed = [name for name, old, value in pairs if describe(value) != old]
        return {"result": describe(result), "changed": changed}
