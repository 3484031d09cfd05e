"""The report of a run as an HTML page and a CSV table, and the slides for the class.

A page is one file that loads and runs nothing.
"""

import csv
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from course_grading.report.run import RunReport
from course_notebooks.safe_files import replace_file
from course_utils.inline import inline

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_report(folder: Path, run: RunReport) -> tuple[Path, Path]:
    """Write `ASSIGNMENT.html` and `.csv` into `folder`. Raises CourseError if that fails."""
    table = io.StringIO(newline="")
    csv.writer(table).writerows(_rows(run))
    html, rows = folder / f"{run.assignment}.html", folder / f"{run.assignment}.csv"
    replace_file(html, page("report", run=run))
    replace_file(rows, table.getvalue().encode("utf-8", "replace"))
    return html, rows


def write_misconceptions(folder: Path, run: RunReport) -> Path:
    """Write `ASSIGNMENT-misconceptions.html` into `folder`, without names of students."""
    file = folder / f"{run.assignment}-misconceptions.html"
    replace_file(file, page("misconceptions", run=run))
    return file


def _rows(run: RunReport) -> Iterator[list[str]]:
    shorts = [exercise.short for exercise in run.exercises]
    outcomes = [f"{short}: outcome" for short in shorts]
    first = ["student", "name", "points", "max_points"]
    last = ["late_penalty", "by_hand", "held", "died", "flags", "repaired"]
    yield [*first, *shorts, *outcomes, *last]
    for graded in run.students:
        verdicts = run.verdicts_of(graded)
        found = [verdicts.get(exercise.name) for exercise in run.exercises]
        saved = run.saved_of(graded)
        row = [
            graded.student,
            run.names.get(graded.student, ""),
            _number(run.score(graded)),
            _number(graded.max_points),
            *(_number(each.points) if each else "" for each in found),
            *((each.finding or each.kind) if each else "" for each in found),
            _number(saved.penalty or None),
            "; ".join(
                f"{name}{', graded again since' if name in saved.anew else ''}"
                for name in saved.by_hand
            ),
            "; ".join(f"{each.exercise}: {each.why}" for each in graded.held),
            "; ".join(f"{v.exercise}: {v.why}" for v in graded.verdicts if v.kind == "died"),
            "; ".join(
                f"{flag.cell}, line {flag.line}: {flag.source} ({flag.why})"
                for flag in graded.flags
            ),
            "; ".join(graded.repaired),
        ]
        yield [_as_text(value) for value in row]
    for student in run.missing:
        empty = [""] * (2 * len(shorts) + 4)
        row = [student, run.names.get(student, ""), *empty, "nothing was handed in", "", "", ""]
        yield [_as_text(value) for value in row]


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2):g}"


def _as_text(value: str) -> str:
    """`value` for a spreadsheet: with an apostrophe before a text that looks like a formula."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def page(template: str, **values: Any) -> bytes:
    """The page from `template` and `values`; a character that UTF-8 cannot encode becomes "?"."""
    html = _environment().get_template(f"{template}.html.j2").render(values)
    return html.encode("utf-8", "replace")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["inline"] = lambda text: Markup(inline(text))
    environment.filters["prose"] = lambda text: Markup(_MARKDOWN.renderInline(text))
    environment.filters["capitalised"] = lambda text: text[:1].upper() + text[1:]
    environment.filters["number"] = lambda value: f"{round(value, 2):g}"
    return environment
