"""Nothing of the content map is forgotten: every row has its place."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course_authoring.content_map import content_map, meanings
from course_utils.manifest import load_manifest

ROOT = Path(__file__).resolve().parents[2]

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
def places():
    return content_map(ROOT, load_manifest())


def test_every_concept_has_a_place(places):
    found = {int(name[1:]) for name in places if name[0] == "C"}
    assert found == numbers(CONCEPTS)


def test_every_erratum_has_a_place(places):
    found = {int(name[1:]) for name in places if name[0] == "E"}
    assert found >= numbers(ERRATA)


def test_a_place_is_a_section_and_its_cells(places):
    for name, found in places.items():
        for place in found:
            assert place.section, name
            assert bool(place.cells) == place.lesson.isdecimal(), name


def test_every_id_says_in_words_what_it_is(places):
    words = meanings(ROOT)
    assert set(words) == set(places)
    assert all(word.strip() for word in words.values())


def course_map(*arguments):
    course = Path(sys.executable).with_name("course")
    return subprocess.run([course, "map", *arguments], capture_output=True, text=True)


@pytest.mark.slow
def test_the_command_prints_a_line_for_each_id_of_a_lesson(places):
    lines = course_map("02").stdout.splitlines()
    assert any(re.search(r"C055 +moving a tensor with `to` +02  \d\. ", line) for line in lines)
    told = {line.split()[0] for line in lines if re.match(r" ?[CE]\d\d", line)}
    assert told == {name for name, found in places.items() if "02" in [x.lesson for x in found]}


@pytest.mark.slow
def test_the_command_prints_it_for_programs():
    entry = json.loads(course_map("--json", "C050").stdout)["C050"]
    place = entry["places"][0]
    assert entry["meaning"].startswith("two kinds of things")
    assert place["lesson"] == "02" and re.match(r"\d\. ", place["section"]) and place["cells"]


@pytest.mark.slow
def test_the_command_names_what_it_does_not_know():
    refused = course_map("C050", "C999", "E999")
    assert refused.returncode == 2
    assert "The content map has no C999 and no E999: " in refused.stderr
