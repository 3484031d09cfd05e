"""Courses with an instructor's own questions: from a file in own/ to grades, by nbgrader and here.

A file has cells after lines `# %% KIND NAME POINTS`, with the kinds solution, test, manual and task;
`[markdown]` makes a text cell. Each line `# ==== STUDENT` begins a submission: the cells below it
replace those of the release; `# %% NAME -` deletes one, `# %% + NAME` inserts one behind it.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from tests.grading.courses import ROOT, SEED, STAMP

PLACE = Path(__file__).with_name("own")
_KINDS = {
    "solution": {"solution": True},
    "test": {"grade": True, "locked": True},
    "manual": {"grade": True, "solution": True},
    "task": {"task": True, "locked": True},
}
_NONE = dict.fromkeys(("grade", "locked", "solution", "task"), False)

Points = Mapping[str, Mapping[str, float | None]]
"""Student → cell → points; None for what waits for a person."""


@dataclass(frozen=True)
class OwnAssignment:
    """A notebook with questions and the changes that its students made."""

    name: str
    notebook: NotebookNode
    changes: Mapping[str, list[tuple[list[str], NotebookNode]]]

    @classmethod
    def read(cls, name: str) -> "OwnAssignment":
        text = (PLACE / f"{name}.py").read_text(encoding="utf-8")
        first, *others = re.split(r"^# ==== (.+)\n", text, flags=re.MULTILINE)
        notebook = new_notebook(cells=[_cell(*each) for each in _cells(first)])
        submitted = zip(others[::2], others[1::2], strict=True)
        changes = {
            _student(who): [(words, _plain(words, source)) for words, source in _cells(part)]
            for who, part in submitted
        }
        return cls(name, notebook, changes)

    def release(self, root: Path, *, stock: bool) -> "OwnAssignment":
        """Make a course in `root`, release, and hand in. stock: with nbgrader's own settings."""
        source = root / "source" / self.name / f"{self.name}.ipynb"
        source.parent.mkdir(parents=True)
        nbformat.write(self.notebook, source)
        for extra in (PLACE / self.name).glob("*"):
            shutil.copy(extra, source.parent)
        if stock:
            (root / "nbgrader_config.py").write_text("c = get_config()\n")
        else:
            shutil.copy(ROOT / "assignments" / "nbgrader_config.py", root)
            (root / ".grading_seed").write_text(SEED)
        done = opened(root).generate_assignment(self.name)
        assert done["success"], done["log"]
        for student, changes in self.changes.items():
            folder = root / "submitted" / student / self.name
            shutil.copytree(root / "release" / self.name, folder)
            path = folder / f"{self.name}.ipynb"
            nbformat.write(_changed(nbformat.read(path, as_version=4), changes), path)
            (folder / "timestamp.txt").write_text(STAMP)
        return self

    def points(self, root: Path) -> Points:
        """What the gradebook holds."""
        with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
            return {
                submission.student.id: {
                    grade.name: None if grade.needs_manual_grade else grade.auto_score
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                }
                for submission in book.assignment_submissions(self.name)
            }


def opened(root: Path) -> NbGraderAPI:
    """nbgrader's interface to a course."""
    from course_grading.run.course import NbgraderCourse

    course = NbgraderCourse.open(root)
    return NbGraderAPI(course.directory, config=course.config)


def graded_by_nbgrader(own: OwnAssignment, root: Path) -> Points:
    """The points of stock nbgrader; no entry for a student whom it could not grade."""
    own.release(root, stock=True)
    api, points = opened(root), {}
    for student in own.changes:
        if api.autograde(own.name, student)["success"]:
            points[student] = own.points(root)[student]
    return points


def _cells(text: str) -> Iterator[tuple[list[str], str]]:
    _, *parts = re.split(r"^# %%(.*)\n?", text, flags=re.MULTILINE)
    for head, source in zip(parts[::2], parts[1::2], strict=True):
        yield head.split(), source.strip("\n")


def _plain(words: list[str], source: str) -> NotebookNode:
    if "[markdown]" in words:
        return new_markdown_cell(re.sub(r"^# ?", "", source, flags=re.MULTILINE))
    return new_code_cell(source)


def _cell(words: list[str], source: str) -> NotebookNode:
    cell = _plain(words, source)
    if words and words[0] in _KINDS:
        kind, name, *points = [word for word in words if word != "[markdown]"]
        marks = {"grade_id": name, "schema_version": 3, **_NONE, **_KINDS[kind]}
        if points:
            marks["points"] = float(points[0])
        cell.metadata.nbgrader = marks
    return cell


def _changed(notebook: NotebookNode, changes: list[tuple[list[str], NotebookNode]]) -> NotebookNode:
    cells = notebook.cells
    for words, new in changes:
        name = next(word for word in words if word not in "+-" and word != "[markdown]")
        place = next(
            i
            for i, cell in enumerate(cells)
            if cell.metadata.get("nbgrader", {}).get("grade_id") == name
        )
        if "-" in words:
            del cells[place]
        elif "+" in words:
            cells.insert(place + 1, deepcopy(new))
        else:
            cells[place].source = new.source
    return notebook


def _student(said: str) -> str:
    return re.sub(r"\W+", "_", said.strip())
