"""Observe `in_force`: called once, the events of a program in, a list of cards out."""

from typing import Any

from course_utils.checking.one_call import OneCall


def _with_tuples(value: Any) -> Any:
    """The events as tuples: JSON has lists only."""
    return [tuple(event) for event in value] if isinstance(value, list) else value


observer = OneCall("start", "events", make=_with_tuples)
