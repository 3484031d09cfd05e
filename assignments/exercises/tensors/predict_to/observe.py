"""Observe `predict_to`: called once, strings in, a tuple out."""

from typing import Any

from course_utils.checking.one_call import OneCall


def _given(value: Any) -> Any:
    """The arguments with a pair for `other`, as the task says: JSON has no tuples."""
    if isinstance(value, dict) and "other" in value:
        return {**value, "other": tuple(value["other"])}
    return value


class PredictTo(OneCall):
    needs_devices = True  # for answers that try the call out


observer = PredictTo("device", "dtype", "method", "arguments", make=_given)
