"""The numbers that pages quote: `course build` fills them in, so that no author has to."""

import re
import shutil
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from toy import COURSE as TOY

from course_authoring import verify
from course_authoring.exercises import new_exercise
from course_authoring.page_numbers import outdated_pages
from course_authoring.text import build
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root

ROOT = repository_root()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("site/guides/*.md")]
PAGE = """\
# A toy

There is <!-- course.toml: lessons -->12<!-- end --> lesson, of
about <!-- course.toml: minutes_of_lessons -->?<!-- end --> minutes.
There are <!-- course.toml: exercises -->many<!-- end --> exercises, of
about <!-- course.toml: minutes_of_exercises --><!-- end --> minutes.

<!-- course.toml: table_of_lessons -->
<!-- end -->
"""
SYLLABUS = """\
| lesson | parts | minutes | exercises in class | minutes |
|---|---|--:|---|--:|
| 90 | {parts} | 0 | {exercises} | 0 |
| **together: 0 minutes** | | **0** | | **0** |

| 90 | {parts} | 0 | {exercises} | 0 |
"""
LESSON = """\
# %% [markdown] {"slug": "before"}
# ## Before we start · 1 min

# %% [markdown] {"slug": "one"}
# ## 1. One · 2 min

# %% [markdown] {"slug": "two"}
# ## 2. Two · 30 min
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The toy course, with a page that quotes it and a lesson; built."""
    root = tmp_path / "course"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "README.md").write_text(PAGE)
    (root / "notebooks" / "text").mkdir(parents=True)
    (root / "notebooks" / "text" / "90_doubling.py").write_text(LESSON)
    build(root)
    return root


def readme(root: Path) -> str:
    return re.sub("<.*?>", "", (root / "README.md").read_text(encoding="utf-8"))


def test_a_page_says_what_the_manifest_says(copy):
    text = readme(copy)
    assert (
        "There is 1 lesson, of\nabout 5 minutes.\nThere are 1 exercises, of\nabout 5 minutes."
        in text
    )
    assert "\n\n| | lesson | afterwards you can |\n|---|---|---|\n| 90 | Doubling | dou" in text
    assert build(copy) == build(copy, check=True) == []


def test_a_new_exercise_is_counted_by_build_and_missed_by_verify(copy):
    for path in new_exercise(copy, "toy.triple"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("TODO", "Done").replace("todo-", ""), encoding="utf-8")
    missed = "\n".join(verify.verify_course(copy, ["toy.double"], lambda line: None))
    assert f"{copy / 'README.md'} is outdated (updated). Run `course build`" in missed
    assert {change.path.name for change in build(copy)} == {
        "README.md",
        "90_toy.ipynb",
        "known.json",
    }
    assert "There are 2 exercises, of\nabout 15 minutes." in readme(copy)
    assert verify.verify_course(copy, None, lambda line: None) == []


def syllabus(root: Path, parts: str, exercises: str) -> str:
    """The table of a syllabus, as `course build` fills it in."""
    page = root / "site" / "guides" / "syllabi.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(SYLLABUS.format(parts=parts, exercises=exercises), encoding="utf-8")
    build(root)
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("parts", "exercises", "row", "total"),
    [
        ("start, 2", "`double`", "31 | `double` | 5", "36 minutes** | | **31** | | **5"),
        ("1–2", "–", "32 | – | 0", "32 minutes** | | **32** | | **0"),
        ("all", "–", "33 | – | 0", "33 minutes** | | **33** | | **0"),
    ],
)
def test_a_syllabus_follows_from_its_parts_and_exercises(copy, parts, exercises, row, total):
    assert syllabus(copy, parts, exercises) == (
        "| lesson | parts | minutes | exercises in class | minutes |\n|---|---|--:|---|--:|\n"
        f"| 90 Doubling | {parts} | {row} |\n| **together: {total}** |\n\n"
        f"| 90 | {parts} | 0 | {exercises} | 0 |\n"
    )


@pytest.mark.parametrize(
    ("parts", "exercises", "said"),
    [
        ("3", "–", r"Lesson 90 has no part 3; the known names are start, 1, 2\."),
        ("1–3", "–", "Lesson 90 has no part 3"),
        ("one–3", "–", "Lesson 90 has no part one–3"),
        ("1 | 2", "–", "the row .* has 6 columns"),
        ("all", "`duble`", r"There is no exercise toy\.duble; did you mean toy\.double\?"),
    ],
)
def test_what_a_syllabus_names_must_exist(copy, parts, exercises, said):
    with pytest.raises(CourseError, match=rf"syllabi\.md: {said}"):
        syllabus(copy, parts, exercises)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("toml: exercises", "toml: exercise", "no number exercise; did you mean exercises?"),
        ("many<!-- end -->", "many", "a `<!-- course.toml: NAME -->` has no `<!-- end -->`"),
    ],
)
def test_what_cannot_be_filled_in_is_one_sentence_and_nothing_is_written(copy, old, new, said):
    page = copy / "README.md"
    damaged = PAGE.replace(old, new)
    page.write_text(damaged)
    with pytest.raises(CourseError) as error:
        build(copy)
    assert said in str(error.value) and str(page) in str(error.value)
    assert page.read_text() == damaged


# --- the course's own pages


def test_no_page_counts_by_hand():
    counts = re.compile(r"\b(\d+|twelve|\w+ty-\w+) (lessons|exercises|assignments)\b", re.I)
    for page in PAGES:
        assert not counts.search(page.read_text(encoding="utf-8")), page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_number_does_not_break_its_paragraph(page):
    """A comment at the beginning of a line is a block of its own in Markdown."""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "html_block" and "course.toml: " in token.content:
            assert token.content.endswith("-->\n"), token.content


def test_no_page_is_out_of_date():
    assert list(outdated_pages(ROOT, load_manifest())) == []
