"""The manifest: read into types, and every broken entry named in one sentence."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from course_utils import manifest
from course_utils.errors import CourseError
from course_utils.manifest import Appendix, load_manifest, repository_root

GOOD = """\
[course]
title = "A course"
version = "0.1"
language = "en"

[[lessons]]
number = "01"
name = "first_steps"
title = "First steps"
goal = "walk"
minutes = 30
prerequisites = []
concepts = []
errata = []

[[lessons]]
number = "02"
name = "foo_lesson"
title = "Foo"
goal = "do foo"
minutes = 75
prerequisites = ["01"]
assignment = "02_foo"
concepts = ["C050", "C051"]
errata = ["E02", "E95b"]

[appendix]
page = "notes.md"
errata = ["E03"]

[[assignments]]
name = "02_foo"
title = "Foo, by hand"
lesson = "02"

[[assignments.exercises]]
name = "foo.bar"
title = "Bar"
map = "X2.1"
kind = "write"
points = 4
minutes = 10

[[assignments.exercises]]
name = "foo.baz"
title = "Baz"
map = "X2.2"
kind = "fix"
points = 3
minutes = 10
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "course.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_manifest_keeps_its_order_and_its_values(tmp_path):
    course = load_manifest(written(tmp_path, GOOD))
    assert [lesson.notebook for lesson in course.lessons] == ["01_first_steps", "02_foo_lesson"]
    assert course.lesson("01").assignment is None
    assert course.lesson("02").prerequisites == ("01",)
    assert course.appendix == Appendix("notes.md", ("E03",))
    assignment = course.assignment("02_foo")
    assert (assignment.topic, assignment.points) == ("foo", 7)
    assert [exercise.short for exercise in assignment.exercises] == ["bar", "baz"]
    assert course.exercise("foo.baz").kind == "fix"
    assert course.assignment_of("foo.baz") is assignment


BROKEN = {
    "missing key": ('title = "Bar"\n', "", "exercise foo.bar: title is missing; add it."),
    "empty title": ('"Bar"', '" "', "exercise foo.bar: title is ' '; write a string"),
    "wrong type": ("minutes = 30", 'minutes = "30"', "lesson 01: minutes is '30'; write a whole"),
    "unknown key": (
        "kind = ",
        "kidn = ",
        "exercise foo.bar: the key kidn is unknown; did you mean",
    ),
    "unknown table": ("[course]", "x = 1\n[course]", "at the top: the key x is unknown; known are"),
    "course is no table": (GOOD[: GOOD.index("[[")], "course = 1\n", "[course]"),
    "no assignments": (
        GOOD[GOOD.index("[[assignments]]") :],
        "",
        "at the top: assignments is miss",
    ),
    "no tables": (
        GOOD[GOOD.index("[[assignments.") :],
        "exercises = 1",
        "exercises is 1; write it",
    ),
    "duplicate lesson": ('number = "02"', 'number = "01"', "lesson 01: an earlier one has that"),
    "duplicate exercise": ("foo.baz", "foo.bar", "foo.bar: an earlier one has that name"),
    "foreign prefix": (
        "foo.baz",
        "fu.baz",
        "exercise fu.baz: it belongs to assignment 02_foo; call",
    ),
    "no prefix": ("foo.baz", "baz", "exercise baz: name is 'baz'; write a string such as"),
    "unknown assignment": (
        'assignment = "02_foo"',
        'assignment = "02_fo"',
        "lesson 02: the assignment 02_fo is unknown; did you mean 02_foo?",
    ),
    "unknown lesson": (
        'lesson = "02"',
        'lesson = "09"',
        "assignment 02_foo: the lesson 09 is unknown",
    ),
    "one-sided": ('lesson = "02"', 'lesson = "01"', "lesson 01 does not name it; write assignment"),
    "unknown prerequisite": ('["01"]', '["07"]', "lesson 02: the prerequisite 07 is no lesson"),
    "later prerequisite": ('["01"]', '["02"]', "the prerequisite 02 is no earlier lesson; remove"),
    "zero points": ("points = 4", "points = 0", "exercise foo.bar: points is 0; write a whole"),
    "true points": ("points = 4", "points = true", "points is True; write a whole number"),
    "half points": ("points = 4", "points = 1.5", "points is 1.5; write a whole number"),
    "unknown kind": (
        '"write"',
        '"wrte"',
        "the kind wrte is unknown; did you mean write",
    ),
    "solutions": (
        'language = "en"',
        'language = "en"\nsolutions = "nver"',
        "[course]: the solutions nver is unknown; did you mean never",
    ),
    "due without a zone": (
        'name = "02_foo"',
        'name = "02_foo"\ndue = 2026-11-20T18:00:00',
        "assignment 02_foo: due is 2026-11-20 18:00:00; write a time with its zone, such as 2026",
    ),
    "due as a text": (
        'name = "02_foo"',
        'name = "02_foo"\ndue = "2026-11-20"',
        "assignment 02_foo: due is 2026-11-20; write a time with its zone",
    ),
    "concept": ('"C051"', '"C51"', "lesson 02: concepts has 'C51'; write an id such as \"C050\"."),
    "erratum": ('"E95b"', '"E9"', "lesson 02: errata has 'E9'; write an id such as \"E02\"."),
    "page": ('"notes.md"', '"../notes.md"', "[appendix]: page is '../notes.md'; write a string"),
    "two places": ('"E03"', '"E02"', "[appendix]: lesson 02 has E02, too; keep it in one place."),
    "twice": ('"C051"', '"C050"', "lesson 02: concepts has C050 twice; remove one."),
    "no list": ('["C050", "C051"]', '"C050"', "concepts is 'C050'; write a list such as"),
    "map": ('"X2.1"', '"2.1"', "exercise foo.bar: map is '2.1'; write a string such as \"X2.1\"."),
    "syntax": ("minutes = 30", "minutes = ", "is not TOML: Invalid value (at line 11"),
}


@pytest.mark.parametrize("old, new, sentence", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_entry_is_named_in_one_sentence(tmp_path, old, new, sentence):
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(CourseError) as caught:
        load_manifest(path)
    message = str(caught.value)
    assert sentence in message
    assert message.startswith(str(path))
    assert "\n" not in message
    assert message[-1] in ".?"


@pytest.mark.parametrize(
    ("minutes", "time"),
    [
        (5, "¼ hour"),
        (40, "¾ hour"),
        (60, "1 hour"),
        (70, "1¼ hours"),
        (85, "1½ hours"),
        (105, "1¾ hours"),
        (120, "2 hours"),
        (130, "2¼ hours"),
    ],
)
def test_the_time_of_a_lesson_is_told_in_quarters_of_an_hour(minutes, time):
    assert replace(load_manifest().lessons[0], minutes=minutes).time == time


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(CourseError, match=r"cannot be read \(No such file"):
        load_manifest(tmp_path / "course.toml")
    (tmp_path / "course.toml").write_bytes(b"\xff")
    with pytest.raises(CourseError, match="not UTF-8"):
        load_manifest(tmp_path / "course.toml")


def test_look_ups_suggest_the_nearest_name(tmp_path):
    course = load_manifest(written(tmp_path, GOOD))
    with pytest.raises(CourseError, match=r"There is no exercise foo.bra; did you mean foo.ba"):
        course.exercise("foo.bra")
    with pytest.raises(CourseError, match=r"There is no assignment 02-foo; did you mean 02_foo\?"):
        course.assignment("02-foo")
    with pytest.raises(CourseError, match=r"There is no lesson nine; known are 01, 02\."):
        course.lesson("nine")


def test_a_package_without_its_repository_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(manifest, "__file__", str(tmp_path / "course_utils" / "manifest.py"))
    with pytest.raises(CourseError, match=r"no course\.toml in .*pip install -e"):
        repository_root()


def test_ipython_shows_the_sentence_alone():
    assert CourseError("What to do.")._render_traceback_() == ["What to do."]


def test_the_manifest_of_this_course():
    course = load_manifest()
    lesson = course.lesson("02")
    assert lesson.notebook == "02_tensors_on_devices"
    assert {"C050", "C063"} <= set(lesson.concepts) and "E02" in lesson.errata
    assert course.exercise("tensors.move_batch") in course.assignment("02_tensors").exercises


@pytest.mark.slow
def test_reading_it_imports_nothing_heavy():
    script = (
        "import sys; from course_utils.manifest import load_manifest; load_manifest();"
        "print(sorted({'torch', 'numpy', 'nbformat', 'jupytext', 'nbgrader'} & set(sys.modules)))"
    )
    root = str(repository_root())
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root)
    assert done.stdout.strip() == "[]", done.stderr
