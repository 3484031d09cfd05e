"""Observe `by_line`: its result. A `Counter`, or another kind of dict, counts as a dict."""

from collections.abc import Callable
from typing import Any

from exercise_kit.observers import OneCall


class AnyDict(OneCall):
    """The facts of `OneCall`."""

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result, as a plain dict if it is any dict."""
        result = super().call(answer, inputs)
        return dict(result) if isinstance(result, dict) else result


observer = AnyDict()
