"""The comparison of two facts: whether they are equal enough, and their first difference."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from exercise_kit.facts import is_described

_NUMBERS = (int, float)
_ORDERED = {"list", "tuple", "namedtuple"}


def same(seen: Any, right: Any, *, exact: bool = False, tolerance: float = 1e-9) -> bool:
    """Whether two facts are equal.

    Numbers may differ by `tolerance`, relative and absolute. NaN equals NaN. A bool equals no
    number. Unless `exact`, a described int may equal a float, and list, tuple and namedtuple may
    equal each other. The order of a dict's keys never counts.
    """
    if is_described(seen) and is_described(right):
        return _same_objects(seen, right, exact, tolerance)
    if isinstance(seen, Mapping) and isinstance(right, Mapping):
        return seen.keys() == right.keys() and all(
            same(seen[key], right[key], exact=exact, tolerance=tolerance) for key in right
        )
    if isinstance(seen, list | tuple) and isinstance(right, list | tuple):
        return len(seen) == len(right) and all(
            same(one, other, exact=exact, tolerance=tolerance)
            for one, other in zip(seen, right, strict=True)
        )
    if type(seen) in _NUMBERS and type(right) in _NUMBERS:
        return _close(seen, right, tolerance)
    return type(seen) is type(right) and seen == right


def _same_objects(
    seen: Mapping[str, Any], right: Mapping[str, Any], exact: bool, tolerance: float
) -> bool:
    kinds = {seen["type"], right["type"]}
    loose = not exact and (kinds <= {"int", "float"} or kinds <= _ORDERED)
    if len(kinds) > 1 and not loose:
        return False
    if "keys" in right and "keys" in seen:
        mine, theirs = (
            sorted(zip(map(str, d["keys"]), d["items"], strict=True), key=lambda pair: pair[0])
            for d in (seen, right)
        )
        return same(
            [list(p) for p in mine], [list(p) for p in theirs], exact=exact, tolerance=tolerance
        )
    names = {"items"} if loose and "items" in right else seen.keys() | right.keys()
    return all(
        name in seen
        and name in right
        and same(seen[name], right[name], exact=exact, tolerance=tolerance)
        for name in names - {"type"}
    )


def _close(seen: float, right: float, tolerance: float) -> bool:
    try:
        both_nan = math.isnan(seen) and math.isnan(right)
        return both_nan or math.isclose(seen, right, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an int that is too large for a float
        return seen == right


def first_difference(
    seen: Any, right: Any, *, exact: bool = False, tolerance: float = 1e-9
) -> tuple[str, Any, Any]:
    """The first difference of two different facts: its place, and the value of each there.

    The place leads through lists and dicts of facts, not into described objects: "[1].weights" is
    in the second item of a list. If the forms differ, the place is "" and the values are the facts.
    """
    if (
        isinstance(seen, list | tuple)
        and isinstance(right, list | tuple)
        and len(seen) == len(right)
    ):
        pairs: Sequence[tuple[str, Any, Any]] = [
            (f"[{number}]", one, other)
            for number, (one, other) in enumerate(zip(seen, right, strict=True))
        ]
    elif (
        isinstance(seen, Mapping)
        and isinstance(right, Mapping)
        and not is_described(right)
        and seen.keys() == right.keys()
    ):
        pairs = [(f".{key}", seen[key], right[key]) for key in right]
    else:
        return "", seen, right
    for place, one, other in pairs:
        if not same(one, other, exact=exact, tolerance=tolerance):
            if isinstance(one, float | int) and isinstance(other, float | int):
                return place, one, other
            inner, *both = first_difference(one, other, exact=exact, tolerance=tolerance)
            return place + inner, *both
    return "", seen, right
