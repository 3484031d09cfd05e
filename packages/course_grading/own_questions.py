"""The verdicts of an instructor's own questions.

A test of one's own runs in the submission's process, so the code of a submission can reach it. Its
points are those that nbgrader gives to its outputs.
"""

import dataclasses
from collections.abc import Callable, Mapping

from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_solution

from course_grading.results import CellRun, Graded, Kind, Verdict
from course_grading.run.course import ReleasedAssignment, check_of, is_graded, is_test
from course_notebooks.reading import parse_outputs
from course_utils.checking.view import AMBER, GREEN, RED, Line, Message
from exercise_kit.limits import OutOfTime
from exercise_kit.text import clip, code

_MARKS = {
    "passed": ("✓", GREEN),
    "partial": ("◐", AMBER),
    "held": ("?", AMBER),
    "manual": ("?", AMBER),
}
_LATER = "A person will look at this question. You lose no points by this."


def with_own_questions(graded: Graded, notebook: NotebookNode, held: Mapping[str, str]) -> Graded:
    """A result with a verdict for each graded cell of a rebuilt notebook, in its order.

    held: grade_id of an own question → the reason why it is held.
    """
    ours = {verdict.exercise: verdict for verdict in graded.verdicts}
    found = [
        ours[check.exercise] if (check := check_of(cell)) else _verdict(cell, graded, held)
        for cell in notebook.cells
        if is_graded(cell)
    ]
    return dataclasses.replace(graded, verdicts=tuple(found))


def tried(
    released: ReleasedAssignment, reference: Graded, say: Callable[[str], None]
) -> ReleasedAssignment:
    """The assignment with doubts about tests that cannot run here.

    reference: the result of `released.own_job()`. A test that fails there is only named, because
        a notebook in source/ may have no solution.
    """
    doubts = {
        name: f"this test cannot run here: with the notebook in source/, {why}"
        for name in released.tests
        if (why := _why_not(reference.tests.get(name), reference.ended))
    }
    failed = [n for n, run in reference.tests.items() if run.error and n not in doubts]
    if failed:
        say(f"With the notebook in source/, these tests fail too; they count: {', '.join(failed)}.")
    if doubts:
        say(f"Held for everybody, because these tests cannot run here: {', '.join(doubts)}.")
    return dataclasses.replace(released, doubts=doubts)


def _why_not(run: CellRun | None, ended: str) -> str:
    if run is None:
        return ended or "it did not run"
    if run.error == OutOfTime.__name__:
        return "it took too long"
    return f"it ended with {run.error}" if run.system else ""


def _verdict(cell: NotebookNode, graded: Graded, held: Mapping[str, str]) -> Verdict:
    name = cell.metadata.nbgrader.grade_id
    if why := held.get(name):
        return _held(cell, why)
    if not is_test(cell):
        if is_solution(cell) and determine_grade(cell)[0] == 0:
            return _made(cell, "not-attempted", 0.0, Line("No answer.", ""))
        return _made(cell, "manual", None, Line("", _LATER))
    run = graded.tests.get(name)
    if run is None:
        return _held(cell, graded.ended or "it did not run")
    outputs = parse_outputs(run.outputs)
    if run.outputs and not outputs:
        return _held(cell, "its outputs are too long")
    try:
        points, most = determine_grade(NotebookNode(cell | {"outputs": outputs}))
    except (ValueError, KeyError) as error:
        return _held(cell, f"nbgrader cannot score it: {error}")
    if run.error == OutOfTime.__name__:
        return _made(cell, "timed-out", points, Line("This test took too long.", ""))
    if points >= most:
        return _made(cell, "passed", points, Line("Passed.", ""))
    lead = "This test gives a part of the points." if points else "This test failed."
    return _made(cell, "partial" if points else "failed", points, Line(lead, _last(outputs)))


def _last(outputs: list[NotebookNode]) -> str:
    """The error of a test, as in `AssertionError: 5 is not 4`, or the text that it wrote last."""
    for output in reversed(outputs):
        if output.output_type == "error":
            return code(clip(": ".join(filter(None, (output.ename, output.evalue)))))
        if output.get("name") == "stderr":
            return f"It wrote to stderr: {code(clip(output.text.strip()))}"
    return ""


def _held(cell: NotebookNode, why: str) -> Verdict:
    return dataclasses.replace(_made(cell, "held", None, Line("", _LATER)), why=why)


def _made(cell: NotebookNode, kind: Kind, points: float | None, line: Line) -> Verdict:
    mark, tone = _MARKS.get(kind, ("✗", RED))
    message = Message(mark, tone, (line,))
    name, most = cell.metadata.nbgrader.grade_id, float(cell.metadata.nbgrader.points)
    return Verdict(name, kind, points, most, text=message.text, html=message._repr_html_())
