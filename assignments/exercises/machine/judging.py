"""What several judges of this topic share."""

from collections.abc import Mapping
from typing import Any


def named(described: Mapping[str, Any]) -> dict[str, Any]:
    """A described result in which every device is a string: either form is as good."""
    if described["type"] == "device":
        return {**described, "type": "str"}
    if "items" in described:
        return {**described, "items": [named(item) for item in described["items"]]}
    return dict(described)
