"""The feedback page of a student, made in nbgrader's feedback step.

nbgrader_config.py names `FeedbackPage` and `GradesWithReasons`, so `nbgrader generate_feedback` and
formgrader's button make this page. It is one file without scripts. It shows no output of the runs
on hidden cases.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import GetGrades
from nbgrader.utils import is_grade, is_solution, is_task

from course_grading.manual_grading import NO_RESPONSE, gradebook_key
from course_grading.report.clean import CellRenderer, checker_message, terminal_text
from course_grading.report.run import titles
from course_grading.report.write import page
from course_notebooks.reading import Unreadable, read_bounded
from course_utils.checking.manual_grading import MIME

NBGRADERS_FILES = ("timestamp.txt", "submission_secret.txt")
"""Files that nbgrader puts into a submission's folder, and reads from the feedback's folder."""

_LONGEST_MARK = 4096  # bytes


class GradesWithReasons(GetGrades):
    """nbgrader's own step; adds to a cell whether its score is held, or a person's.

    Only comments of a person are for the student. Those of grading are for the instructor.
    """

    def _get_comment(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        comment = self.gradebook.find_comment(*gradebook_key(self, cell))
        unchanged = comment.auto_comment == NO_RESPONSE
        cell.metadata.nbgrader.update(comment=comment.manual_comment, unchanged=unchanged)

    def _get_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        grade = self.gradebook.find_grade(*gradebook_key(self, cell))
        by_person = grade.manual_score is not None
        cell.metadata.nbgrader.update(
            score=grade.score,
            points=grade.max_score,
            by_person=by_person,
            held=grade.auto_score is None and not by_person,
        )


class FeedbackPage(Exporter):
    """The exporter of a graded notebook to the student's page."""

    file_extension = ".html"
    output_mimetype = "text/html"

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        if isinstance(self.parent, GenerateFeedback):
            # nbgrader copies all files of a submission into feedback/, and has no option for it.
            self.parent.init_assignment = partial(_copy_nbgraders_files, self.parent)

    def from_notebook_node(  # type: ignore[override]  # as nbconvert's own exporters of pages
        self, nb: NotebookNode, resources: Any = None, **settings: Any
    ) -> tuple[str, ResourcesDict]:
        """The page of a graded notebook, and its resources."""
        notebook, resources = super().from_notebook_node(nb, resources, **settings)
        graded = resources["nbgrader"]
        title, exercises = titles(graded["assignment"])
        before, parts, after = _arranged(notebook.cells, exercises, CellRenderer())
        html = page(
            "feedback",
            title=title,
            student=graded["student"],
            score=graded["score"],
            max_score=graded["max_score"],
            late_penalty=graded["late_penalty"],
            waiting=sum(part.held for part in parts),
            before=before,
            parts=parts,
            after=after,
        )
        return html.decode(), resources


@dataclass(frozen=True)
class ShownCell:
    """A cell of the student."""

    is_code: bool
    source: Markup
    outputs: list[Markup]


@dataclass(frozen=True)
class ExerciseFeedback:
    """An exercise on the page. anchor: the grade_id of its test cell, as on nbgrader's page.

    question: whether only a person can grade it. unchanged: whether such a one is as released.
    missing: for an answer that is not in the submission, why.
    """

    anchor: str
    title: str
    points: float
    of: float
    held: bool
    by_person: bool
    question: bool
    unchanged: bool
    missing: str
    verdict: Markup | None
    tasks: list[Markup] = field(default_factory=list)
    comments: list[Markup] = field(default_factory=list)
    cells: list[ShownCell] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        """The outcome as a mark and a few words."""
        if self.held:
            return "? A person will look at it"
        if self.points >= self.of:
            return "✓ All points"
        none = "✗ Left as it was" if self.unchanged else "✗ Not yet"
        return "◐ Some of the points" if self.points > 0 else none


def _copy_nbgraders_files(converter: GenerateFeedback, assignment: str, student: str) -> None:
    source = Path(converter._format_source(assignment, student))
    target = Path(converter._format_dest(assignment, student))
    target.mkdir(parents=True, exist_ok=True)
    for name, new in zip(NBGRADERS_FILES, ("", secrets.token_hex(64)), strict=True):
        (target / name).write_text(_mark(source / name) or new, encoding="utf-8")


def _mark(file: Path) -> str:
    """The text of one of nbgrader's files; "" if it is missing or nbgrader could not read it.

    `nbgrader release_feedback` stops at the first page without one, and then releases no page.
    """
    try:
        return read_bounded(file, _LONGEST_MARK).decode()
    except (Unreadable, UnicodeDecodeError):
        return ""


def _arranged(
    cells: Sequence[NotebookNode], exercises: dict[str, str], renderer: CellRenderer
) -> tuple[list[ShownCell], list[ExerciseFeedback], list[ShownCell]]:
    """The cells before the first exercise, the exercises, and the cells after the last one."""
    before: list[ShownCell] = []
    parts: list[ExerciseFeedback] = []
    own: list[NotebookNode] = []  # the cells since the last graded cell
    answering_task = False  # the student's cells below a task are its answer
    for cell in cells:
        graded = is_grade(cell) or is_task(cell)
        answering_task &= not graded and "nbgrader" not in cell.metadata
        if answering_task:
            parts[-1].cells.extend(_shown([cell], renderer))
            continue
        if not graded:
            own.append(cell)
            continue
        if not parts:
            first = next((at for at, each in enumerate(own) if "nbgrader" in each.metadata), 0)
            before = _shown(own[:first], renderer)
            own = own[first:]
        parts.append(_part(cell, own, exercises, renderer))
        own, answering_task = [], is_task(cell)
    return before, parts, _shown(own, renderer)


def _part(
    check: NotebookNode,
    own: Sequence[NotebookNode],
    exercises: dict[str, str],
    renderer: CellRenderer,
) -> ExerciseFeedback:
    graded = check.metadata.nbgrader
    short = graded.grade_id.removesuffix("_check")
    by_hand = is_solution(check) or is_task(check)
    answers = [*own, check] if by_hand else own
    missing = next(filter(None, (c.metadata.get("course", {}).get("missing") for c in answers)), "")
    part = ExerciseFeedback(
        anchor=graded.grade_id,
        title=exercises.get(short, short),
        points=graded.score,
        of=graded.points,
        held=graded.held,
        by_person=graded.by_person,
        question=by_hand,
        unchanged=by_hand and graded.get("unchanged", False) and not graded.by_person,
        missing=missing,
        verdict=None if by_hand or graded.by_person or missing else _verdict(check),
    )
    for cell in answers:
        notes = cell.metadata.get("nbgrader", {})
        if notes.get("comment"):
            part.comments.append(renderer.prose(notes["comment"]))
        if notes.get("locked") and not notes.get("solution"):
            text = _without_heading(cell.source)
            part.tasks.extend([renderer.prose(text), *renderer.attached(cell)])
        else:
            part.cells.extend(_shown([cell], renderer))
    return part


def _verdict(check: NotebookNode) -> Markup | None:
    """The message of the check: as HTML if it was saved so, else as text."""
    html = check.metadata.get("course", {}).get("html")
    if html:
        return checker_message(html)
    for output in check.get("outputs", ()):
        data = output.get("data", {})
        if "text/html" in data:
            return checker_message(data["text/html"])
        if output.output_type == "error":
            return terminal_text("\n".join(output.traceback))
        if MIME in data:
            return terminal_text(data.get("text/plain", ""))
    return None


def _shown(cells: Iterable[NotebookNode], renderer: CellRenderer) -> list[ShownCell]:
    """Cells with the outputs that the student saved, never with outputs of a grading run.

    Without cells that are shown as released, because those of the student are missing.
    """
    found = []
    for cell in (each for each in cells if "missing" not in each.metadata.get("course", {})):
        if cell.source.strip() and cell.cell_type == "code":
            saved = cell.metadata.get("course", {}).get("as_submitted") is True
            source = renderer.python(cell.source)
            found.append(ShownCell(True, source, renderer.outputs(cell.outputs) if saved else []))
        elif cell.source.strip():
            pictures = renderer.attached(cell)
            found.append(ShownCell(False, renderer.prose(cell.source), pictures))
    return found


def _without_heading(text: str) -> str:
    """The text of a task without its first heading, because the page has its own heading."""
    first, _, rest = text.lstrip().partition("\n")
    return rest if first.startswith("#") else text
