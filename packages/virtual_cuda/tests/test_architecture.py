"""ARCHITECTURE.md: the files that it names, and what it says of patches."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import virtual_cuda
from virtual_cuda.patches import Patches

PACKAGE = Path(__file__).parents[1]


@pytest.mark.slow
def test_every_file_that_the_page_names_exists():
    page = (PACKAGE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/]+(?:/|\.py|\.cpp))`", page))
    assert len(named) > 40
    places = (PACKAGE, PACKAGE / "src", PACKAGE / "src" / "virtual_cuda")
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()


def test_no_two_parts_replace_the_same_attribute(no_machine, monkeypatch):
    replaced: Counter[tuple[int, str]] = Counter()
    replace = Patches.set

    def count(self: Patches, owner: Any, **values: Any) -> None:
        replaced.update((id(owner), name) for name in values)
        replace(self, owner, **values)

    monkeypatch.setattr(Patches, "set", count)
    with virtual_cuda.enabled(1):
        assert len(replaced) > 300 and set(replaced.values()) == {1}
