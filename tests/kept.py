"""Which parameters of a test run in `make test`; the others are marked `more`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def only(kept: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """The values as parameters of a test, of which `make test` runs those in `kept`."""
    return [pytest.param(each, marks=() if each in kept else pytest.mark.more) for each in values]
