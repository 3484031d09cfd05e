"""Courses with an instructor's own questions: from a file in own/ to grades, by nbgrader and here.

A file has cells after lines `# %% KIND NAME POINTS`, with the kinds solution, test, manual, task,
locked and plain (a name, but no marks of nbgrader); `[markdown]` makes a text cell. `# %% notebook
NAME` begins a second notebook. Files in own/NAME/ are shipped with the assignment.

Each line `# ==== STUDENT` begins a submission: the cells below it replace those of the release.
Words like `points=9` change a cell's marks, `attached` attaches a picture. `# %% NAME -` deletes a
cell, `# %% + NAME` inserts one behind it, `# %% NAME =` copies it, `# %% NAME > OTHER` moves it
behind another. `# %% file NAME` hands in a file, `# %% notebook NAME -` leaves out a notebook.

`python -m tests.grading.own_courses NAME ...` writes the points of stock nbgrader into
own/stock.json: for these assignments, or for all but the broken ones.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from tests.grading.courses import ROOT, SEED, STAMP, opened

PLACE = Path(__file__).with_name("own")
STOCK = PLACE / "stock.json"
_KINDS = {
    "solution": {"solution": True},
    "test": {"grade": True, "locked": True},
    "manual": {"grade": True, "solution": True},
    "task": {"task": True, "locked": True},
    "locked": {"locked": True},
}
_NONE = dict.fromkeys(("grade", "locked", "solution", "task"), False)
_PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
_PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5E"
    "rkJggg=="
)

Changes = list[tuple[list[str], str]]
"""The head and the text of each cell of a submission."""


Points = Mapping[str, Mapping[str, float | None]]
"""Student → cell → points; None for what waits for a person."""


@dataclass(frozen=True)
class OwnAssignment:
    """An assignment with questions, and the changes that its students made."""

    name: str
    notebooks: Mapping[str, NotebookNode]
    changes: Mapping[str, Changes]

    @classmethod
    def read(cls, name: str) -> "OwnAssignment":
        text = (PLACE / f"{name}.py").read_text(encoding="utf-8")
        first, *others = re.split(r"^# ==== (.+)\n", text, flags=re.MULTILINE)
        notebooks = {name: (cells := [])}
        for words, source in _cells(first):
            if words[:1] == ["notebook"]:
                notebooks[words[1]] = cells = []
            else:
                cells.append(_cell(words, source))
        submitted = zip(others[::2], others[1::2], strict=True)
        changes = {_student(who): list(_cells(part)) for who, part in submitted}
        made = {
            each: new_notebook(cells=cells, metadata=_PYTHON) for each, cells in notebooks.items()
        }
        return cls(name, made, changes)

    def release(self, root: Path, *, stock: bool) -> "OwnAssignment":
        """Make a course in `root`, release, and hand in. stock: with nbgrader's own settings."""
        source = root / "source" / self.name
        source.mkdir(parents=True)
        for name, notebook in self.notebooks.items():
            nbformat.write(notebook, source / f"{name}.ipynb")
        if (PLACE / self.name).exists():
            shutil.copytree(PLACE / self.name, source, dirs_exist_ok=True)
        if stock:
            (root / "nbgrader_config.py").write_text("c = get_config()\n")
        else:
            shutil.copy(ROOT / "assignments" / "nbgrader_config.py", root)
            (root / ".grading_seed").write_text(SEED)
        done = opened(root).generate_assignment(self.name)
        assert done["success"], done["log"]
        for student in self.changes:
            self.hand_in(root, student)
        return self

    def hand_in(self, root: Path, student: str) -> None:
        folder = root / "submitted" / student / self.name
        shutil.copytree(root / "release" / self.name, folder)
        (folder / "timestamp.txt").write_text(STAMP)
        paths = [folder / f"{name}.ipynb" for name in self.notebooks]
        handed_in = {path: nbformat.read(path, as_version=4) for path in paths}
        for words, source in self.changes[student]:
            if words[0] == "file":
                file = folder / words[1]
                file.parent.mkdir(exist_ok=True)
                file.write_text(source)
            elif words[0] == "notebook":
                path = folder / f"{words[1]}.ipynb"
                path.unlink()
                del handed_in[path]
            else:
                _change(handed_in.values(), words, source)
        for path, notebook in handed_in.items():
            nbformat.write(notebook, path)

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
    elif words and words[0] == "plain":
        cell.id = words[1]
    return cell


def _change(notebooks: Iterable[NotebookNode], words: list[str], source: str) -> None:
    name, *others = [word for word in words if word not in ("+", "[markdown]")]
    cells, place = _found(notebooks, name)
    if "-" in words:
        del cells[place]
    elif "+" in words:
        cells.insert(place + 1, _plain(words, source))
    elif "=" in words:
        cells.insert(place + 1, deepcopy(cells[place]))
        cells[place + 1].id += "_copy"
    elif ">" in words:
        moved = cells.pop(place)
        cells, behind = _found(notebooks, others[-1])
        cells.insert(behind + 1, moved)
    else:
        old, new = cells[place], _plain(words, source)
        new.id, new.metadata = old.id, old.metadata
        new.metadata.get("nbgrader", {}).update(_marks(others))
        if "attached" in words:
            new.attachments = {"picture.png": {"image/png": _PICTURE}}
        cells[place] = new


def _marks(words: list[str]) -> dict[str, Any]:
    return {key: json.loads(value) for key, _, value in (w.partition("=") for w in words) if value}


def _found(notebooks: Iterable[NotebookNode], name: str) -> tuple[list[NotebookNode], int]:
    """The cells among which a cell is, and its place there."""
    return next(
        (notebook.cells, place)
        for notebook in notebooks
        for place, cell in enumerate(notebook.cells)
        if name in (cell.get("id"), cell.metadata.get("nbgrader", {}).get("grade_id"))
    )


def _student(said: str) -> str:
    return re.sub(r"\W+", "_", said.strip())


def sound() -> list[str]:
    """The names of the assignments that stock nbgrader grades without trouble."""
    names = [path.stem for path in sorted(PLACE.glob("*.py"))]
    return [name for name in names if not name.startswith("broken_")]


def write_stock(names: list[str]) -> None:
    """Grade assignments with stock nbgrader, and keep the points in own/stock.json."""
    kept = json.loads(STOCK.read_text()) if STOCK.exists() else {}
    for name in names:
        with TemporaryDirectory() as folder:
            kept[name] = graded_by_nbgrader(OwnAssignment.read(name), Path(folder) / "course")
    STOCK.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    write_stock(sys.argv[1:] or sound())
