"""A test cell that could not be checked gets no score in nbgrader's gradebook, and no zero."""

import os
import re
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


def nbgrader(folder: Path, *arguments: str) -> str:
    """Run a command of nbgrader's; its log."""
    # nbgrader calls alembic by name, so the environment's commands must be on the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "COURSE_GRADE_IN_KERNELS": "1"}
    environment.pop("PYTEST_CURRENT_TEST", None)  # ipykernel's streams are others in a test
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def autograded(folder: Path, course: str, *cells) -> tuple[dict, str]:
    """What the gradebook holds of a submission of these cells, by their names; and the log."""
    source = folder / "source" / "one" / "one.ipynb"
    source.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), source)
    nbgrader(folder, "generate_assignment", "one")
    shutil.copytree(folder / "release" / "one", folder / "submitted" / "ada" / "one")
    log = nbgrader(folder, "autograde", "one")
    with Gradebook(f"sqlite:///{folder}/gradebook.db", course) as gradebook:
        grades = gradebook.find_submission_notebook("one", "one", "ada").grades
        return {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}, log


def test_what_is_held_waits_for_a_person(tmp_path):
    shutil.copy(ROOT / "assignments" / "nbgrader_config.py", tmp_path)
    found, _ = autograded(
        tmp_path,
        "on_the_right_device",
        cell("answer", "x = 1"),
        cell("held_check", HELD, 4),
        cell("right_check", "2 - 1", 2),
        cell("wrong_check", "1 / 0", 3),
    )
    assert found == {
        "held_check": (None, True),
        "right_check": (1.0, False),
        "wrong_check": (0.0, False),
    }


STOCK = """\
c = get_config()
c.CourseDirectory.course_id = "own"
"""
PUT = "kit.Runner._put"
SHORT = """
c.Execute.timeout_func = lambda cell: 8 if cell.id == "waits" else 600
c.Execute.iopub_timeout = 600  # until the kernel has heard of it, on a busy machine
"""
WAITS = """\
import time
import exercise_kit.runner as kit
from course_utils import check

def move_batch(batch, device):
    time.sleep(600)
"""
INTERRUPTED = "`c.Execute.timeout` in nbgrader_config.py"


def lines_of_the_guide() -> str:
    """What is needed at least where nbgrader's own settings grade."""
    guide = (ROOT / "site" / "guides" / "instructors.md").read_text(encoding="utf-8")
    section = guide.split("## You have an nbgrader course already", 1)[1].split("\n## ", 1)[0]
    *_, least = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return least


@pytest.mark.parametrize("by_the_guide", [False, True])
def test_a_check_that_nbgrader_interrupts_says_which_setting_is_missing(by_the_guide, tmp_path):
    """In a course of one's own; questions of its own are graded as ever."""
    lines = lines_of_the_guide() if by_the_guide else ""
    (tmp_path / "nbgrader_config.py").write_text(STOCK + lines + SHORT)
    found, log = autograded(
        tmp_path,
        "own",
        new_code_cell(WAITS, id="setup"),
        new_code_cell(f"put, {PUT} = {PUT}, None", id="break"),
        cell("broken", 'check("tensors.move_batch", move_batch)', 3),
        new_code_cell(f"{PUT} = put", id="repaired"),
        cell("waits", 'check("tensors.move_batch", move_batch)', 4),
        cell("after", 'check("tensors.move_batch", move_batch)', 5),
        cell("own", "2 - 1", 2),
    )
    held = (None, True) if by_the_guide else (0.0, False)
    assert found == {"broken": held, "waits": held, "after": held, "own": (1.0, False)}
    assert INTERRUPTED in log and "SaveGradesOrHold" in log
    assert "The check of tensors.move_batch itself failed" in log
    nbgrader(tmp_path, "generate_feedback", "one")
    page = (tmp_path / "feedback" / "ada" / "one" / "one.html").read_text(encoding="utf-8")
    for setting in ("Your answer was not judged", "c.Execute.timeout", "SaveGradesOrHold"):
        assert setting in page
