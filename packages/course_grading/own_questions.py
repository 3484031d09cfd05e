"""The verdicts of an instructor's own questions.

A test of one's own runs in the submission's process, so the code of a submission can reach it. Its
points are those that nbgrader gives to its outputs.
"""

import dataclasses
import logging
import re
from collections.abc import Callable, Iterator, Mapping

from nbformat import NotebookNode
from nbgrader.utils import determine_grade, is_solution

from course_grading.job import Job
from course_grading.results import CellRun, Graded, Kind, Verdict
from course_grading.run.course import (
    ReleasedAssignment,
    ReleasedNotebook,
    check_of,
    is_graded,
    is_test,
)
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
_FAILED = re.compile(r"^-+> \d+ (.+)$", re.MULTILINE)  # the line of the test in IPython's traceback
_LATER = "A person will look at this question. You lose no points by this."


def own_verdicts(
    graded: Graded, notebook: NotebookNode, released: ReleasedNotebook, held: Mapping[str, str]
) -> Iterator[Verdict]:
    """The verdicts of the graded cells of a rebuilt notebook, in its order.

    graded: the result, with verdicts of exercises alone. held: own question → why it is held.
    """
    ours = {verdict.exercise: verdict for verdict in graded.verdicts}
    for cell, known in zip(_graded(notebook), _graded(released.notebook), strict=True):
        if check := check_of(cell):
            yield ours[check.exercise]
            continue
        name = released.questions[cell.metadata.nbgrader.grade_id]
        verdict = _verdict(cell, known.source, graded.runs.get(name), held.get(name, ""))
        yield dataclasses.replace(verdict, exercise=name)


def _graded(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if is_graded(cell)]


def tried(
    released: ReleasedAssignment, grade: Callable[[Job], Graded], say: Callable[[str], None]
) -> ReleasedAssignment:
    """The assignment with doubts about own tests that cannot run here, and the flags of tests.

    grade: grades a job, here that of the notebooks in source/. A test that fails there is only
        named, because a notebook in source/ may have no solution.
    """
    ran = grade(released.own_job()) if released.tests else Graded("", "", ())
    why = {name: _why_not(ran.runs[name]) for name in released.tests}
    doubts = {
        name: f"this test cannot run here: with the notebook in source/, {reason}"
        for name, reason in why.items()
        if reason
    }
    errors = {name: ran.runs[name].error for name in released.tests if name not in doubts}
    if failed := ", ".join(f"{name} ({error})" for name, error in errors.items() if error):
        say(f"With the notebook in source/, these tests fail too; they count: {failed}.")
    if doubts:
        say(f"Held for everybody, because these tests cannot run here: {', '.join(doubts)}.")
    told = frozenset((flag.line, flag.source, flag.why) for flag in ran.flags)
    return dataclasses.replace(released, doubts=doubts, told=told)


def _why_not(run: CellRun) -> str:
    if run.error == OutOfTime.__name__:
        return "it took too long"
    if run.error and run.above and not run.above.startswith("the answer"):
        return run.above
    return f"it ended with {run.error}" if run.system else run.ended


def _verdict(cell: NotebookNode, visible: str, run: CellRun | None, held: str) -> Verdict:
    """The verdict of an own question.

    visible: its text without hidden tests. run: None for a text.
    """
    if held:
        return _held(cell, held)
    if run is None or not is_test(cell):
        if is_solution(cell) and determine_grade(cell)[0] == 0:
            return _made(cell, "not-attempted", 0.0, Line("No answer.", ""))
        return _made(cell, "manual", None, Line("", _LATER))
    if run.ended:
        return _held(cell, run.ended)
    outputs = parse_outputs(run.outputs)
    if run.outputs and not outputs:
        return _held(cell, "its outputs are too long")
    log = _Warnings("nbgrader")
    try:
        points, most = determine_grade(NotebookNode(cell | {"outputs": outputs}), log)
    except (ValueError, KeyError) as error:
        return _held(cell, f"nbgrader cannot score it: {error}")
    points = 0.0 if run.error else points
    if run.error == OutOfTime.__name__:
        return _made(cell, "timed-out", points, Line("This test took too long.", ""))
    if points >= most:
        return _made(cell, "passed", points, Line("Passed.", ""), why=log.said)
    lines = [Line("This test gives a part of the points." if points else "This test failed.", "")]
    for output in outputs:
        if output.output_type == "error":
            text = ": ".join(filter(None, (output.ename, output.evalue)))
            lines.append(Line("Error:", code(clip(text))))
            if at := _FAILED.search("\n".join(output.traceback)):
                lines += [Line("Line:", code(at[1]))] if at[1] in visible else []
            if run.above:
                lines.append(Line("Before:", f"{run.above}."))
        elif output.get("name") == "stderr":
            lines.append(Line("On stderr:", code(clip(output.text.strip()))))
    printed = "".join(each.text for each in outputs if each.get("name") == "stdout")
    return _made(cell, "partial" if points else "failed", points, *lines, printed=printed)


class _Warnings(logging.Logger):
    """said: whether nbgrader warns of a value that is no number of points."""

    said = ""

    def warning(self, *_: object, **__: object) -> None:
        self.said = "its value is no number of points, so nbgrader gives all points"


def _held(cell: NotebookNode, why: str) -> Verdict:
    return _made(cell, "held", None, Line("", _LATER), why=why)


def _made(
    cell: NotebookNode,
    kind: Kind,
    points: float | None,
    *lines: Line,
    printed: str = "",
    why: str = "",
) -> Verdict:
    mark, tone = _MARKS.get(kind, ("✗", RED))
    message = Message(mark, tone, lines, clip(printed, 2000))
    name, most = cell.metadata.nbgrader.grade_id, float(cell.metadata.nbgrader.points)
    return Verdict(name, kind, points, most, text=message.text, html=message._repr_html_(), why=why)
