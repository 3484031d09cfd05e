"""Nothing of the content map is forgotten: every row has its place."""

import re
import tomllib
from pathlib import Path

import pytest

from course_utils.manifest import load_manifest

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"

# The rows of the content map, lesson by lesson; of the errata, those that concern learners.
CONCEPTS = [
    (1, 22),
    (30, 44),
    (50, 66),
    (70, 78),
    (80, 90),
    (100, 112),
    (120, 134),
    (140, 155),
    (160, 168),
    (170, 178),
    (180, 191),
]
ERRATA = [
    (1, 6),
    (8, 10),
    (12, 16),
    (18, 26),
    (28, 28),
    (31, 49),
    (51, 53),
    (55, 62),
    (66, 70),
    (72, 77),
    (80, 95),
    (97, 98),
    (100, 105),
    (107, 107),
    (109, 109),
]


def numbers(ranges):
    return {number for first, last in ranges for number in range(first, last + 1)}


@pytest.fixture(scope="module")
def places() -> set[str]:
    """The codes of what lessons teach, and of what pages for reference explain."""
    course = load_manifest()
    taught = {code for lesson in course.lessons for code in (*lesson.concepts, *lesson.errata)}
    pages = "\n".join(page.read_text("utf-8") for page in NOTEBOOKS.glob("*.md"))
    comments = re.findall(r"^#+ .+\n<!-- (?:concepts|errata): (.+) -->$", pages, flags=re.M)
    return taught | {code for codes in comments for code in codes.split(", ")}


def test_every_concept_has_a_place(places):
    found = {int(name[1:]) for name in places if name[0] == "C"}
    assert found == numbers(CONCEPTS)


def test_every_erratum_has_a_place(places):
    found = {int(name[1:]) for name in places if name[0] == "E"}
    assert found >= numbers(ERRATA)


def test_every_id_says_in_words_what_it_is(places):
    said = tomllib.loads((NOTEBOOKS / "concepts.toml").read_text("utf-8"))
    words = {**said["concepts"], **said["errata"]}
    assert set(words) == places
    assert all(word.strip() for word in words.values())
