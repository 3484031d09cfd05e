"""Described results in a form that is easier to compare."""

from collections.abc import Mapping
from typing import Any


def named(described: Mapping[str, Any]) -> dict[str, Any]:
    """The description with each device as a string, since a result may hold either."""
    if described["type"] == "device":
        return {**described, "type": "str"}
    if "items" in described:
        return {**described, "items": [named(item) for item in described["items"]]}
    return dict(described)
