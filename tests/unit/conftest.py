"""What several files of unit tests begin with."""

from pathlib import Path

import pytest
from a_course import Author


@pytest.fixture
def author(tmp_path: Path) -> Author:
    """Of a small course, in a repository of its own."""
    return Author(tmp_path / "repository")
