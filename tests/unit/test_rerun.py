"""A case alone: the cell that a check offers, for every exercise and its known wrong answers."""

import ast
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from course_utils.checking.exercises import exercise, exercise_names
from course_utils.checking.single_case import SingleCase, single_case
from course_utils.checking.view import report_message
from course_utils.devices import lab
from exercise_kit.check import check
from exercise_kit.corpus import known_answers
from exercise_kit.engine import judged
from exercise_kit.facts import describe
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import outcome_name
from exercise_kit.reference import reference
from exercise_kit.runner import Seen, describe_raise

SAMPLE = 2  # known wrong answers of each exercise


def wrong_answers(known: Exercise) -> list[Callable[..., Any]]:
    """A few, from all over the folder, that the public cases find within their time."""
    found = [
        answer for answer in known_answers(known.path, "wrong") if answer.expected != "timed-out"
    ]
    return [answer.load(known.short) for answer in found[:: -(-len(found) // SAMPLE)]]


def run_cell(source: str, function: Callable[..., Any]) -> Any:
    """What a notebook shows of a cell: the value of its last line."""
    *before, last = ast.parse(source).body
    names = {function.__name__: function}
    exec(compile(ast.Module(before, []), "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def seen_in(cell: str, function: Callable[..., Any]) -> Seen:
    """What a cell with a plain call shows, as facts."""
    try:
        return {"result": describe(run_cell(cell, function)), "changed": []}
    except Exception as error:
        return describe_raise(error, function)


def rerun_cell(cell: str, function: Callable[..., Any], capsys: pytest.CaptureFixture) -> str:
    """The text that a cell with `rerun` shows, above a traceback if the answer raised."""
    capsys.readouterr()
    try:
        return run_cell(cell, function).text
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        assert any(frame.name == function.__name__ for frame in frames)
        return capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name.startswith("tensors.") else pytest.mark.more)
        for name in exercise_names()
    ],
)
def test_the_offered_cell_shows_the_same_finding(name, capsys):
    known = exercise(name)
    if known.observer.gpus != 0:
        lab(4)
    for function in wrong_answers(known):
        called = function.__name__ if isinstance(function, type) else known.short
        report = check(known, function).report
        single = single_case(known, function, report)
        finding = outcome_name(report.outcome)
        if single.plain and single.line.startswith(f"{known.short}("):
            again = judged(known.judge, single.case, seen_in(single.cell, function))
            assert outcome_name(again) == finding, single.cell
        else:
            assert single.line == f'rerun("{name}", {called}, case={report.place.number})'
        alone = SingleCase(known, called, single.number)
        shown = rerun_cell(alone.cell, function, capsys)
        assert report_message(report, known.words).lines[0].lead in shown, finding
        assert reference(known.path) not in single.cell + shown
