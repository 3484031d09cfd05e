"""`growth_chart` and the counting behind it: which lines of train.py each lesson brought."""

import pytest

from lesson_parts.lesson12.growth import Growth, growth, growth_chart
from lesson_parts.project import STAGES

VERSIONS = {
    "start": "a\nb\n\nc\n",
    "02": "a\nx\n\nc\ny\n",  # b is replaced, y is new
    "03": "a\nx\n\nc\n",  # y goes again
}


def test_each_line_is_its_first_versions():
    grown = growth(VERSIONS)
    assert grown.brought == {"start": 3, "02": 2, "03": 0}
    assert grown.left == {"start": 2, "02": 1, "03": 0}


@pytest.fixture(scope="module")
def grown() -> Growth:
    return growth()


def test_it_follows_the_programs_own_versions(grown):
    assert list(grown.brought) == list(STAGES)
    assert all(grown.brought.values())
    assert all(grown.left[name] <= count for name, count in grown.brought.items())


def test_the_picture_says_what_it_shows(grown):
    picture = growth_chart(grown)
    for name, count in grown.brought.items():
        assert f"{count} lines, {grown.left[name]} of them still there" in picture.alt
        assert name == "start" or f"lesson {name}:" in picture.alt
    assert picture.png()[:4] == b"\x89PNG"
