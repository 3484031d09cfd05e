"""Observe `prepare`: its result, and the bytes that were copied for it."""

from collections.abc import Callable
from typing import Any

from course_utils.checking.observers import DeviceCall, build
from exercise_kit import Facts


class Prepare(DeviceCall):
    """Facts: `changed`; `result`; `away`, the bytes that left the images' device; all `bytes`."""

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        place = str(inputs[0].device)
        facts = super().observe(answer, inputs)
        return {
            "changed": facts["changed"],
            "result": facts["result"],
            "away": sum(size for source, _, size in facts["bytes"] if source == place),
            "bytes": sum(size for *_, size in facts["bytes"]),
        }


observer = Prepare(make=build)
