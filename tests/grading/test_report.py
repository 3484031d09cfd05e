"""The report of a run and the page to be projected, made of results and opened in a browser."""

import csv
import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from course_grading.report.clean import safe_svg
from course_grading.report.run import RunReport
from course_grading.report.write import write_misconceptions, write_report
from course_grading.results import Flag, Graded, ProcessorSeconds, Verdict
from course_utils.checking.exercises import exercise
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from tests.chromium import chromium

NAME = "02_tensors"
ASSIGNMENT = load_manifest().assignment(NAME)


def verdict(entry, number: int) -> Verdict:
    """A mixture: most pass, findings grow rarer, and a few of every other kind."""
    findings = sorted(exercise(entry.name).words.findings)
    place = ASSIGNMENT.exercises.index(entry)
    kind = "passed"
    if number % 3 == 1:
        kind = "finding"
    elif number == 5:
        kind = "raised"
    elif number == 8:
        kind = "not-attempted"
    elif number == 11:
        kind = "timed-out"
    elif number == 14 and place == 2:
        kind = "held"
    points = {"passed": float(entry.points), "held": None}.get(kind, 0.0)
    name = findings[min(number // 10, len(findings) - 1)] if kind == "finding" else ""
    why = "the answer's process ended by signal 9" if kind == "held" else ""
    return Verdict(entry.name, kind, points, entry.points, name, why=why)


def graded(number: int) -> Graded:
    flags = ()
    if number == 4:
        flags = (
            Flag("move_batch", 3, '=HYPERLINK("http://192.0.2.1") # <script>', "calls exec"),
            Flag("cell 7", 1, "import gc", "imports gc"),
        )
    repaired = ("The cell of move_batch was found by its function.",) if number == 6 else ()
    return Graded(
        f"student{number:02}",
        NAME,
        tuple(verdict(entry, number) for entry in ASSIGNMENT.exercises),
        repaired,
        flags,
        ProcessorSeconds(0.15, 0.02, 0.03),
    )


@pytest.fixture
def run() -> RunReport:
    return RunReport(
        NAME,
        tuple(graded(number) for number in range(30, 0, -1)),
        frozenset({"student01", "student02"}),
        datetime(2026, 11, 22, 12, 30),
        12.3,
        "FULL",
        {"torch": "2.13.0", "nbgrader": "0.9.6"},
    )


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_table_has_everybody_and_no_zero_for_what_is_held(run, tmp_path):
    _, table = write_report(tmp_path, run)
    found = rows(table)
    assert [row["student"] for row in found] == [f"student{n:02}" for n in range(1, 31)]
    held = found[13]
    third = ASSIGNMENT.exercises[2]
    assert held["points"] == held[third.short] == ""
    assert held[f"{third.short}: outcome"] == "held"
    assert held["held"] == f"{third.name}: the answer's process ended by signal 9"
    assert found[2]["points"] == str(ASSIGNMENT.points)
    assert found[4]["points"] == "0" and found[4]["move_batch: outcome"] == "raised"
    assert "cell 7, line 1: import gc (imports gc)" in found[3]["flags"]
    assert found[5]["repaired"] == "The cell of move_batch was found by its function."


def test_who_handed_in_nothing_is_named_and_gets_no_zero(run, tmp_path):
    page, table = write_report(
        tmp_path, replace(run, missing=("ada", "=evil"), names={"ada": "Lovelace, Ada"})
    )
    *_, ada, evil = rows(table)
    assert (ada["student"], ada["name"], evil["student"]) == ("ada", "Lovelace, Ada", "'=evil")
    assert ada["points"] == "" and ada["held"] == "nothing was handed in"
    assert {value for key, value in ada.items() if "outcome" in key} == {""}
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.read_text("utf-8")))
    assert "Nothing handed in ada (Lovelace, Ada), =evil. They have no score, not a zero." in text


def test_names_that_are_known_stand_beside_the_ids(run, tmp_path):
    page, table = write_report(tmp_path, replace(run, names={"student03": "Łukasz, Ada <b>"}))
    assert [row["name"] for row in rows(table)][1:4] == ["", "Łukasz, Ada <b>", ""]
    assert page.read_text("utf-8").count("student03 (Łukasz, Ada &lt;b&gt;)") == 1  # the grades


def test_a_spreadsheet_computes_nothing_of_it(run, tmp_path):
    evil = replace(run.graded[0], student="=cmd|' /C calc'!A0", repaired=("@SUM(1)",))
    _, table = write_report(tmp_path, replace(run, graded=(evil,)))
    (row,) = rows(table)
    assert row["student"] == "'=cmd|' /C calc'!A0" and row["repaired"] == "'@SUM(1)"


def test_the_report_tells_what_the_run_found(run, tmp_path):
    page, _ = write_report(tmp_path, run)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.read_text()))
    assert "30 submissions : 28 graded in this run, 2 unchanged" in text
    assert (
        "waiting for a person: 1; with questions to grade manually: 0; with lines to check: 1."
        in text
    )
    assert "29 scores are known" in text
    assert "the answer&#39;s process ended by signal 9" in text
    assert "calls exec" in text and "import gc" in text
    assert "FULL" in text and "12.3 s" in text and "torch 2.13.0" in text
    # 28 were graded in this run: 28 × (0.15, 0.02, 0.03)
    assert "4.2 s running answers, 0.6 s judging, 0.8 s coordinating" in text
    entry = ASSIGNMENT.exercises[0]
    words = exercise(entry.name).words
    first = sorted(words.findings)[0]
    section = text.partition(f"({entry.name},")[2]
    wording = words.finding(first)
    assert wording.title.replace("`", "").split("'")[0][:20] in section.replace("`", "")
    assert f"{wording.hint}. " in section
    assert "<script>" not in page.read_text()


def test_findings_are_counted_by_students(run):
    (first, *_) = run.exercises
    names = sorted(exercise(first.name).words.findings)
    counts = {each.name: len(each.students) for each in first.findings}
    # 1, 4, 7 · 10, 13, 16, 19 · 22, 25, 28, by tens; the last name is for all that are left
    assert sum(counts.values()) == 10
    assert counts[names[0]] == 3 and counts[names[1]] == 4
    assert [len(each.students) for each in first.findings] == sorted(counts.values(), reverse=True)
    assert first.judged == 30 - 1 - (first.kinds["held"])
    assert sum(first.kinds.values()) == 30
    assert [each.name for each in run.exercises] == [each.name for each in ASSIGNMENT.exercises]


def test_the_distribution_has_everybody_whose_sum_is_known(run):
    assert sum(count for _, _, count in run.distribution) == 29
    assert run.distribution[-1][2] == sum(total == run.max_points for total in run.known)


def test_the_page_to_be_projected_names_nobody(run, tmp_path):
    html = write_misconceptions(tmp_path, run).read_text()
    assert "student" not in html.lower().replace("students", "")
    for entry in run.exercises:
        if entry.findings:
            assert f"{len(entry.findings[0].students)} of {entry.judged}" in html
    assert "signal 9" not in html and "HYPERLINK" not in html


def test_an_exercise_that_has_changed_since_is_reported_all_the_same(tmp_path):
    old = Verdict("tensors.gone", "finding", 0.0, 2.0, "old-finding")
    known = replace(old, exercise="tensors.move_batch")
    report = RunReport(NAME, (Graded("ada", NAME, (old, known)),))
    page, _ = write_report(tmp_path, report)
    assert page.read_text().count("old-finding") >= 2
    assert "old-finding" in write_misconceptions(tmp_path, report).read_text().lower()


def test_an_empty_run_and_another_course(tmp_path):
    page, table = write_report(tmp_path, RunReport("99_elsewhere", ()))
    assert "No score is known yet." in page.read_text() and rows(table) == []
    write_misconceptions(tmp_path, RunReport("99_elsewhere", ()))


def test_a_folder_that_cannot_be_written_is_one_sentence(run, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CourseError, match="is a file, and a folder is needed there"):
        write_report(tmp_path / "file", run)


def test_half_characters_in_a_source_line_do_not_stop_the_report(run, tmp_path):
    broken = replace(run.graded[0], flags=(Flag("x", 1, "s = '\ud800'", "why"),))
    page, table = write_report(tmp_path, replace(run, graded=(broken,)))
    assert "s = " in page.read_text(encoding="utf-8") and rows(table)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no svg",
        "<svg>",
        "<html xmlns='http://www.w3.org/1999/xhtml'/>",
        "<!DOCTYPE s [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>",
        "<svg xmlns='http://www.w3.org/2000/svg'>" + "<g>" * 9000 + "</g>" * 9000 + "</svg>",
        "<svg xmlns='http://www.w3.org/2000/svg'>"
        "<pattern id='p'><rect fill='url(#q)'/></pattern>"
        "<rect fill='url(#p)'/></svg>",
        "<svg xmlns='http://www.w3.org/2000/svg'><g id='p'><use href='#q'/></g>"
        "<use href='#p'/></svg>",
    ],
)
def test_what_is_no_drawing_is_none(text):
    assert safe_svg(text) is None


def test_a_figure_of_matplotlib_comes_through():
    from course_utils.figures.picture import Picture

    picture = Picture(2, "A figure with a hatch")
    picture.box(1, 0.5, 2, 1, hatch="//")
    before = picture.svg()
    after = safe_svg(before)
    assert after is not None
    for part in ("<path", "<use", "url(#"):
        assert after.decode().count(part) == before.count(part) > 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_in_a_browser(run, tmp_path, scheme):
    report, _ = write_report(tmp_path, run)
    slides = write_misconceptions(tmp_path, run)
    with chromium() as browser:
        for path in (report, slides):
            page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
            asked = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on("console", lambda message, asked=asked: asked.append(message.text))
            page.goto(path.as_uri())
            assert asked == [path.as_uri()]
            levels = page.evaluate(
                "[...document.querySelectorAll('h1,h2,h3')].map(e => +e.tagName[1])"
            )
            assert levels.count(1) == 1 and levels[0] == 1, json.dumps(levels)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert page.locator("th:not([scope])").count() == 0
        sizes = page.evaluate(
            "[...document.querySelectorAll('.title,.means,.row')].map("
            "e => parseFloat(getComputedStyle(e).fontSize))"
        )
        assert min(sizes) >= 20  # pixels of 720: it is read from the last row
