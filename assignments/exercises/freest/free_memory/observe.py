"""Observe `free_memory`: the commands are real, and take the place of nvidia-smi."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe
from exercise_kit.observers import attempt

TIMEOUT = 0.5  # seconds


class FreeMemory(Observer):
    """Facts: the `result`, or `escaped`, the type of an exception; `late`, whether the function
    waited for a command that hangs."""

    gpus = 0
    parameters = ("command", "timeout")

    def prepare(self, data: Mapping[str, Any]) -> list[str]:
        """The command of a case, as a list of words."""
        self._hangs = bool(data["seconds"])
        script = f"sleep {data['seconds']}; printf '%s' \"$0\"; exit {data['status']}"
        return [data["name"], "-c", script, data["text"]]

    def observe(self, answer: Callable[..., Any], inputs: list[str]) -> Facts:
        """The facts of one call."""
        begin = monotonic()
        result, error = attempt(
            lambda: answer(inputs, timeout=TIMEOUT),
            lambda error: not isinstance(error, NotImplementedError),
        )
        late = self._hangs and monotonic() - begin > 2.9
        facts: dict[str, Any] = {"escaped": type(error).__name__ if error else "none", "late": late}
        return facts if error else facts | {"result": describe(result)}


observer = FreeMemory()
