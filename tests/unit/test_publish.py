"""`course publish`: what is written holds no answer of what is graded, and checks run in it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course_authoring.publish import publish
from course_notebooks.source import write_notebook
from course_utils.checking.exercises import exercise, place_of
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root
from course_utils.program.holes import HOLES
from course_workspace.notebooks import release_of
from exercise_kit.reference import reference

ROOT, COURSE = repository_root(), load_manifest()
SHOWN = {hole.exercise for hole in HOLES}
"""Their solutions are parts of the program, which the lessons run."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    publish(ROOT, folder, lambda _: None)
    return folder


def solution_of(name: str) -> str:
    """The lines of an exercise's solution, each without what it is indented by."""
    text = (place_of(ROOT, name) / "answer.py").read_text()
    (region, *_) = re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", text, re.DOTALL)
    return squeezed(region)


def squeezed(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def test_nothing_in_it_holds_a_solution(published):
    files = [
        file for file in published.rglob("*") if file.suffix in (".py", ".md", ".json", ".toml")
    ]
    texts = {file: squeezed(file.read_text()) for file in files}
    for file in published.rglob("*.ipynb"):
        cells = json.loads(file.read_text())["cells"]
        texts[file] = squeezed("\n".join("".join(cell["source"]) for cell in cells))
    for each in COURSE.exercises:
        found = [file for file, text in texts.items() if solution_of(each.name) in text]
        program = [file for file in found if "project" in file.parts]
        assert found == program and (not program or each.name in SHOWN), each.name
    folders = (published / "assignments" / "exercises").glob("*/*/*")
    assert not [
        file
        for file in folders
        if file.name in ("accepted", "wrong") and COURSE.task(".".join(file.parts[-3:-1])) is None
    ]
    assert not (published / "tests").exists() and not (published / ".git").exists()


def test_a_learner_gets_the_same_notebooks(published):
    for each in COURSE.assignments:
        assert write_notebook(release_of(published, each)) == write_notebook(release_of(ROOT, each))


IN_IT = """
import sys
from course_utils import check, hint, solution
namespace = {}
exec(sys.stdin.read(), namespace)
answer = namespace["move_batch"]
print(check("tensors.move_batch", answer).text)
print(check("tensors.move_batch", lambda batch, device: batch).text)
print(solution("tensors.move_batch").text)
print(solution("tensors.prepare").text)
try:
    check("tensors.move_batch", answer, seed=1)
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.more
def test_checks_run_in_it_as_before(published, tmp_path):
    parts = ("", "notebooks", "packages", "packages/exercise_kit/src", "packages/virtual_cuda/src")
    path = os.pathsep.join(str(published / part) for part in parts)
    done = subprocess.run(
        [sys.executable, "-c", IN_IT],
        input=reference(exercise("tensors.move_batch").path),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert (
        "At grading they run again with other values.\n" in done.stdout
        and "seed=1" not in done.stdout
    )
    assert "✗ Not yet: " in done.stdout and "Sure?" in done.stdout  # that of a task is there
    assert "No solution. The solution is not on this machine." in done.stdout
    assert "Error The solution of move_batch is not on this computer" in done.stdout


def test_a_folder_that_is_not_empty_and_files_that_git_does_not_know_are_refused(tmp_path):
    (tmp_path / "mine").touch()
    with pytest.raises(CourseError, match=r"is not empty\. Name a new folder"):
        publish(ROOT, tmp_path, lambda _: None)
    (tmp_path / "course.toml").write_text((ROOT / "course.toml").read_text())
    with pytest.raises(CourseError, match="not a git repository"):
        publish(tmp_path, tmp_path / "new", lambda _: None)
