"""Observe `fix_mismatch`: the error that it returns, and what was copied for it."""

from collections.abc import Callable
from typing import Any

from course_utils.checking.observers import DeviceCall, build
from exercise_kit import Facts


class MendMismatch(DeviceCall):
    """Facts: `changed`; `result`, one element in any shape; `bytes` and `copies` in the whole run.

    away: the number of copies from the device of `weight`, with single numbers fetched from GPUs.
    """

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        """The facts of one call."""
        place = str(inputs[2].device)
        facts = super().observe(answer, inputs)
        result = facts["result"]
        while isinstance(result.get("values"), list) and len(result["values"]) == 1:
            result = {**result, "dtype": "float32", "shape": [], "values": result["values"][0]}
        away = sum(number for source, _, number in facts["copies"] if source == place)
        return {
            "changed": facts["changed"],
            "result": result,
            "away": away + facts["read"],
            "bytes": sum(size for *_, size in facts["bytes"]),
            "copies": sum(number for *_, number in facts["copies"]),
        }


observer = MendMismatch(make=build)
