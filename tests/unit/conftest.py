"""Fixtures that several files of unit tests share."""

from pathlib import Path

import pytest
from a_course import Author


@pytest.fixture
def author(tmp_path: Path) -> Author:
    """The author of a small course in a new repository."""
    return Author(tmp_path / "repository")
