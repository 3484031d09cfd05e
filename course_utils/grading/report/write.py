"""Writes the report of a run as a page and as a table, and the page to be projected."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from course_utils.errors import CourseError
from course_utils.grading.report.pages import page
from course_utils.grading.report.run import RunReport
from course_utils.grading.results import Graded, Verdict

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_report(folder: Path, run: RunReport) -> tuple[Path, Path]:
    """`ASSIGNMENT.html` and `ASSIGNMENT.csv` in `folder`. Raises CourseError if they cannot be."""
    html = _write(folder / f"{run.assignment}.html", page("report", run=run))
    table = io.StringIO(newline="")
    csv.writer(table).writerows(_rows(run))
    return html, _write(folder / f"{run.assignment}.csv", table.getvalue())


def write_misconceptions(folder: Path, run: RunReport) -> Path:
    """`ASSIGNMENT-misconceptions.html` in `folder`, without anybody's name."""
    html = page("misconceptions", run=run)
    return _write(folder / f"{run.assignment}-misconceptions.html", html)


def _write(file: Path, text: str) -> Path:
    """Whole or not at all: what was there before stays until the new one is complete."""
    part = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(text.encode("utf-8", "replace"))
        part.replace(file)
    except OSError as error:
        raise CourseError(
            f"{file} cannot be written ({error.strerror}): make room or name another folder."
        ) from error
    return file


def _rows(run: RunReport) -> Iterator[list[str]]:
    names = [exercise.name for exercise in run.exercises]
    shorts = [exercise.short for exercise in run.exercises]
    yield [
        "student",
        "name",
        "points",
        "max_points",
        *shorts,
        *(f"{short}: outcome" for short in shorts),
        "held",
        "flags",
        "mended",
    ]
    for graded in run.students:
        verdicts = run.verdicts_of(graded)
        found = [verdicts.get(name) for name in names]
        name = run.names.get(graded.student, "")
        yield [_as_text(value) for value in _row(graded, name, found)]
    for student in run.missing:
        empty = [""] * (2 * len(names) + 2)
        row = [student, run.names.get(student, ""), *empty, "nothing was handed in", "", ""]
        yield [_as_text(value) for value in row]


def _row(graded: Graded, name: str, found: list[Verdict | None]) -> Iterator[str]:
    yield graded.student
    yield name
    yield _number(graded.points)
    yield _number(graded.max_points)
    yield from (_number(each.points) if each else "" for each in found)
    yield from ((each.finding or each.kind) if each else "" for each in found)
    yield "; ".join(f"{each.exercise}: {each.why}" for each in graded.held)
    yield "; ".join(
        f"{flag.cell}, line {flag.line}: {flag.source} ({flag.why})" for flag in graded.flags
    )
    yield "; ".join(graded.mended)


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2):g}"


def _as_text(value: str) -> str:
    """A spreadsheet would compute what begins like a formula, and a student may have written it."""
    return f"'{value}" if value.startswith(_FORMULA) else value
