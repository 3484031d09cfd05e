"""Observe `utilisation`: the share that comes back, and the list afterwards."""

from typing import Any

from course_utils.checking.one_call import OneCall


def _pairs(value: Any) -> Any:
    """JSON has no tuples."""
    return [tuple(pair) for pair in value] if isinstance(value, list) else value


observer = OneCall("kernels", "start", "end", make=_pairs)
