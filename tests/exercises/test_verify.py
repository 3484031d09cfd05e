"""`course verify` is content with the course, and says what is wrong when something is."""

import json
import shutil
from pathlib import Path

import pytest

from course_utils.authoring import verify
from course_utils.authoring.mutants import mutants
from course_utils.checking import registry

ROOT = Path(__file__).resolve().parents[2]
NAME = "tensors.read_error"  # needs no device, so it is quick


@pytest.fixture
def copy(tmp_path) -> Path:
    """The course's own files, to be damaged. The package stays the one that is installed."""
    for folder in ("assignments/text", "assignments/source", "assignments/submissions",
                   "notebooks"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "course.toml", tmp_path)
    return tmp_path


def problems(root: Path, name: str = NAME) -> list[str]:
    return verify.verify_course(root, [name], lambda line: None)


@pytest.mark.slow
def test_every_exercise_is_proven():
    said: list[str] = []
    assert verify.verify_course(ROOT, None, said.append) == [], "\n".join(said)


def test_an_intact_copy_is_proven(copy):
    assert problems(copy) == []


def edit_cell(root: Path, grade_id: str, change) -> None:
    path = root / "assignments/source/02_tensors/02_tensors.ipynb"
    content = json.loads(path.read_text())
    (cell,) = [c for c in content["cells"] if c["id"] == grade_id]
    cell["source"] = change("".join(cell["source"]))
    path.write_text(json.dumps(content))


def test_a_stub_that_passes_is_reported(copy):
    empty_region = "### BEGIN SOLUTION\n    pass\n    ### END SOLUTION"
    edit_cell(copy, "read_error", lambda text: text.replace("### BEGIN SOLUTION", "")
              .replace("### END SOLUTION", empty_region))
    found = "\n".join(problems(copy))
    assert "the untouched stub comes out as passed" in found
    assert "let the stub raise NotImplementedError" in found


def test_a_stub_that_does_not_run_is_reported(copy):
    edit_cell(copy, "read_error", lambda text: text.replace("### BEGIN SOLUTION", "")
              .replace("### END SOLUTION", ""))
    assert any("the cell does not run: NotImplementedError()" in p for p in problems(copy))


def test_an_emptied_hint_is_reported(copy, monkeypatch):
    judge = registry.judge(NAME)
    monkeypatch.setattr(type(judge), "hints", (*judge.hints[:-1], " "))
    assert any(f"hint {len(judge.hints)} is empty: write it." in p for p in problems(copy))


def test_a_changed_finding_is_reported(copy):
    path = next((copy / "assignments/submissions/02_tensors/read_error/wrong").glob("*.py"))
    source = path.read_text()
    path.write_text(source.replace(source.splitlines()[0], "# finding: no-such-finding"))
    found = "\n".join(problems(copy))
    assert f"{path} must come out as no-such-finding" in found
    assert "no finding is named no-such-finding" in found


def test_a_missing_first_line_is_reported(copy):
    path = next((copy / "assignments/submissions/02_tensors/read_error/wrong").glob("*.py"))
    path.write_text("\n" + path.read_text())
    assert any("the first line must say what the answer meets" in p for p in problems(copy))


def test_an_edited_notebook_is_reported(copy):
    edit_cell(copy, "read_error", lambda text: text + "\n# edited")
    assert any("course absorb" in problem for problem in problems(copy))


def test_other_points_and_another_check_line_are_reported(copy):
    manifest = copy / "course.toml"
    manifest.write_text(manifest.read_text().replace('kind = "read"\npoints = 3',
                                                     'kind = "read"\npoints = 9'))
    edit_cell(copy, "read_error_check", lambda text: text + "  # please")
    found = "\n".join(problems(copy))
    assert "gives 3 points and course.toml gives 9" in found
    assert 'must hold exactly `check("tensors.read_error", read_error)`' in found


def test_a_stray_file_is_reported(copy):
    stray = copy / "assignments/submissions/02_tensors/read_error/notes.txt"
    stray.write_text("?")
    assert any(f"{stray} is no known answer" in p for p in problems(copy))


def test_a_missing_answer_leaves_a_finding_unreached(copy):
    wrong = copy / "assignments/submissions/02_tensors/read_error/wrong"
    shutil.rmtree(wrong)
    found = "\n".join(problems(copy))
    assert "no wrong answer reaches the finding" in found
    assert "needs three answers or more" in found


def test_a_stale_survivor_is_reported(copy):
    path = copy / "assignments/submissions/02_tensors/read_error/survivors.toml"
    old = path.read_text() if path.exists() else "[survivors]\n"
    path.write_text(old + '"`a` → `b`" = "no such mutant"\n')
    assert any("which is no mutant: drop it" in p for p in problems(copy))


def test_mutants_are_single_faults_and_leave_docstrings_alone():
    source = 'def f(a, b):\n    """Add."""\n    if a == b:\n        return a + 1\n    return b\n'
    changes = [mutant.change for mutant in mutants(source)]
    assert changes == ["`if a == b: …` → `if not a == b: …`", "`return b` → `return None`",
                       "`a == b` → `a != b`", "`return a + 1` → `return None`",
                       "`a + 1` → `a - 1`", "`1` → `2`"]
    for mutant in mutants(source):
        compile(mutant.source, "mutant", "exec")
        assert "Add." in mutant.source
