"""Observe `new_enough`: called once, pairs and a string in, indices out."""

from typing import Any

from course_utils.checking.one_call import OneCall


def _pairs(value: Any) -> Any:
    """JSON has lists only; capabilities are pairs."""
    return value if isinstance(value, str) else [tuple(pair) for pair in value]


observer = OneCall("capabilities", "needed", make=_pairs)
