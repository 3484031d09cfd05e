"""Observe `who_gets`: called once, a list out, and the two lists afterwards."""

from typing import Any

from course_utils.checking.one_call import OneCall


def _pairs(value: Any) -> Any:
    """JSON has no tuples."""
    pairs = isinstance(value, list) and value and isinstance(value[0], list)
    return [tuple(pair) for pair in value] if pairs else value


observer = OneCall("free", "users", "startup", make=_pairs)
