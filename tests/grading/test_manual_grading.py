"""A test cell that could not be checked gets no score in nbgrader's gradebook, and no zero."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

ROOT = Path(__file__).resolve().parents[2]
HELD = """\
from course_utils.checking import manual_grading, view
manual_grading.display(view.Message("?", view.GREY, (view.Line("This could not be checked.", ""),)))
"""

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(600)]


def cell(name: str, source: str, points: int | None = None):
    meta = {
        "grade": points is not None,
        "grade_id": name,
        "locked": points is not None,
        "schema_version": 3,
        "solution": points is None,
        "task": False,
    }
    if points is not None:
        meta["points"] = points
    return new_code_cell(source, id=name, metadata={"nbgrader": meta})


def nbgrader(folder: Path, *arguments: str) -> None:
    # nbgrader calls alembic by name, so the environment's commands must be on the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, "COURSE_GRADE_IN_KERNELS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_held_waits_for_a_person(tmp_path):
    shutil.copy(ROOT / "assignments" / "nbgrader_config.py", tmp_path)
    notebook = new_notebook(
        cells=[
            cell("answer", "x = 1"),
            cell("held_check", HELD, 4),
            cell("right_check", "2 - 1", 2),
            cell("wrong_check", "1 / 0", 3),
        ]
    )
    source = tmp_path / "source" / "one" / "one.ipynb"
    source.parent.mkdir(parents=True)
    nbformat.write(notebook, source)
    nbgrader(tmp_path, "generate_assignment", "one")
    shutil.copytree(tmp_path / "release" / "one", tmp_path / "submitted" / "ada" / "one")
    nbgrader(tmp_path, "autograde", "one")
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db", "on_the_right_device") as gradebook:
        grades = gradebook.find_submission_notebook("one", "one", "ada").grades
        found = {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}
    assert found == {
        "held_check": (None, True),
        "right_check": (1.0, False),
        "wrong_check": (0.0, False),
    }
