"""The learner's workspace: delivered whole, refreshed, and never written over."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from course_utils.authoring.conversion import notebook_from_text
from course_utils.authoring.release import released_notebook
from course_utils.authoring.text import build
from course_utils.authoring.workspace import prepare
from course_utils.errors import CourseError

MANIFEST = """\
[course]
title = "A course"
version = "0.1"
language = "en"
[[lessons]]
number = "02"
name = "foo_lesson"
title = "Foo"
minutes = 75
prerequisites = []
assignment = "02_foo"
concepts = []
errata = []
[[assignments]]
name = "02_foo"
title = "Foo"
lesson = "02"
[[assignments.exercises]]
name = "foo.double"
title = "Double"
map = "X2.1"
kind = "implement"
points = 4
minutes = 10
"""
LESSON = '# %% {"slug": "one"}\nx = 1\n'
FLAGS = '"locked": {0}, "schema_version": 3, "solution": {1}, "task": false'
SOLUTION_FLAGS = '"grade": false, "grade_id": "double", ' + FLAGS.format("false", "true")
CHECK_FLAGS = '"grade": true, "grade_id": "double_check", "points": 4, ' + FLAGS.format(
    "true", "false"
)
ASSIGNMENT = f'''\
# %% [markdown] {{"slug": "title"}}
# # Foo

# %% {{"nbgrader": {{{SOLUTION_FLAGS}}}}}
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    secret = x + x
    return secret
    ### END SOLUTION

# %% {{"nbgrader": {{{CHECK_FLAGS}}}}}
check("foo.double", double)
### BEGIN HIDDEN TESTS
assert double(7) == 14
### END HIDDEN TESTS
'''
START, LESSON_FILE, ASSIGNMENT_FILE = (
    "START_HERE.md",
    "lessons/02_foo_lesson.ipynb",
    "assignments/02_foo/02_foo.ipynb",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "notebooks/text").mkdir(parents=True)
    (root / "course.toml").write_text(MANIFEST)
    write_lesson(root, LESSON)
    write_assignment(root, ASSIGNMENT)
    return root


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def write_lesson(root: Path, text: str) -> None:
    (root / "notebooks/text/02_foo_lesson.py").write_text(text)
    build(root, ["02_foo_lesson"])


def write_assignment(root: Path, text: str) -> Path:
    source = root / "assignments/source/02_foo/02_foo.ipynb"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(nbformat.writes(notebook_from_text(text)))
    return source


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# --- the release


def test_a_release_has_stubs_and_no_secrets(root):
    notebook = released_notebook(root / "assignments/source/02_foo/02_foo.ipynb")
    text = nbformat.writes(notebook)
    for secret in ("secret", "BEGIN", "14", "text_sha256"):
        assert secret not in text
    answer, test = notebook.cells[1:]
    assert answer.source.endswith("    # YOUR CODE HERE\n    raise NotImplementedError()")
    assert answer.metadata.nbgrader.grade_id == answer.id == "double"
    assert answer.metadata.nbgrader.checksum
    assert test.metadata.editable is False
    assert test.source == 'check("foo.double", double)'


def test_a_release_has_no_outputs_and_no_pairing(root):
    source = root / "assignments/source/02_foo/02_foo.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.metadata["jupytext"] = {"formats": "ipynb,py:percent"}
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="the answer")]
    nbformat.write(notebook, source)
    text = nbformat.writes(released_notebook(source))
    assert "the answer" not in text
    assert "jupytext" not in text


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ("    ### END SOLUTION\n", "", "no end solution statement"),
        ("# # Foo", "# ### BEGIN SOLUTION\n# 2\n# ### END SOLUTION", "non-solution cell"),
        ("# # Foo", "# ### begin solution\n# 2", "would keep “begin solution”"),
        ("# # Foo", "#     secret = x + x\n#\n#     return secret", "repeats a solution"),
        ("### BEGIN HIDDEN", "### Begin hidden", "would keep “Begin hidden TESTS”"),
        ("### END HIDDEN TESTS\n", "", "No end hidden tests"),
    ],
)
def test_a_release_that_would_tell_is_refused(root, old, new, sentence):
    assert old in ASSIGNMENT
    source = write_assignment(root, ASSIGNMENT.replace(old, new, 1))
    with pytest.raises(CourseError) as caught:
        released_notebook(source)
    assert sentence in str(caught.value)
    assert str(source) in str(caught.value)


def test_a_source_that_is_no_notebook(root):
    source = root / "assignments/source/02_foo/02_foo.ipynb"
    source.write_text("{")
    with pytest.raises(CourseError, match="course build --discard 02_foo"):
        released_notebook(source)


# --- the workspace


def test_the_pages_beside_the_lessons_are_delivered_with_them(root, workspace):
    (root / "notebooks/glossary.md").write_text("# Glossary\n")
    assert "lessons/glossary.md" in prepare(root, workspace).created
    assert (workspace / "lessons/glossary.md").read_text() == "# Glossary\n"


def test_the_first_run_delivers_everything(root, workspace):
    report = prepare(root, workspace)
    assert report.created == [START, LESSON_FILE, ASSIGNMENT_FILE]
    assert (workspace / LESSON_FILE).read_bytes() == (
        root / "notebooks/02_foo_lesson.ipynb"
    ).read_bytes()
    assert "secret" not in (workspace / ASSIGNMENT_FILE).read_text()
    assert len((workspace / START).read_text().strip().split("\n")) == 8  # a title and six lines
    assert set(files(workspace)) == {START, LESSON_FILE, ASSIGNMENT_FILE, ".course/delivered.json"}
    assert f"{START}: created." in report.lines()


def test_the_second_run_changes_nothing_and_is_fast(root, workspace):
    prepare(root, workspace)
    before = files(workspace)
    start = time.perf_counter()
    report = prepare(root, workspace)
    assert time.perf_counter() - start < 0.1
    assert report.kept == [START, LESSON_FILE, ASSIGNMENT_FILE]
    assert report.lines() == []
    assert files(workspace) == before


def test_the_second_run_does_not_import_nbgrader(root, workspace):
    prepare(root, workspace)
    script = (
        "import sys; from pathlib import Path;"
        "from course_utils.authoring.workspace import prepare;"
        "prepare(Path(sys.argv[1]), Path(sys.argv[2]));"
        "print(sorted({'torch', 'nbformat', 'jupytext', 'nbgrader'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script, str(root), str(workspace)]
    package = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=package)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("touched", [True, False])
def test_a_new_version_arrives_beside_once(root, workspace, touched):
    prepare(root, workspace)
    mine = workspace / LESSON_FILE
    if touched:
        mine.write_text("my work")
    before = mine.read_bytes()
    for number, expected in [(2, "02_foo_lesson.new.ipynb"), (3, "02_foo_lesson.new-2.ipynb")]:
        write_lesson(root, LESSON.replace("1", str(number)))
        report = prepare(root, workspace)
        assert report.beside == [f"lessons/{expected}"]
        assert f"x = {number}" in (workspace / "lessons" / expected).read_text()
        assert prepare(root, workspace).beside == []
        assert mine.read_bytes() == before
    (workspace / "lessons/02_foo_lesson.new.ipynb").unlink()
    write_lesson(root, LESSON)  # the first version again: nothing new
    assert prepare(root, workspace).beside == []


def test_a_new_version_of_an_assignment_arrives_without_solutions(root, workspace):
    prepare(root, workspace)
    write_assignment(root, ASSIGNMENT.replace("Twice x", "Two times x"))
    assert prepare(root, workspace).beside == ["assignments/02_foo/02_foo.new.ipynb"]
    text = (workspace / "assignments/02_foo/02_foo.new.ipynb").read_text()
    assert "Two times x" in text
    assert "secret" not in text


def test_a_deleted_file_comes_back(root, workspace):
    prepare(root, workspace)
    for path in (LESSON_FILE, ASSIGNMENT_FILE):
        (workspace / path).unlink()
    report = prepare(root, workspace)
    assert report.restored == [LESSON_FILE, ASSIGNMENT_FILE]
    assert f"{LESSON_FILE}: restored, since it was missing." in report.lines()
    assert (workspace / ASSIGNMENT_FILE).is_file()


def test_a_file_of_the_learners_own_is_never_replaced(root, workspace):
    (workspace / "lessons").mkdir(parents=True)
    (workspace / LESSON_FILE).write_text("mine, from before the course")
    (workspace / START).symlink_to("nowhere")
    report = prepare(root, workspace)
    assert report.beside == ["START_HERE.new.md", "lessons/02_foo_lesson.new.ipynb"]
    assert (workspace / LESSON_FILE).read_text() == "mine, from before the course"
    assert os.readlink(workspace / START) == "nowhere"


@pytest.mark.parametrize(
    "record",
    [
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"version": 2, "files": {}}',
        b'{"version": 1, "files": {"a": 1}}',
    ],
)
def test_a_broken_record_is_kept_and_nothing_overwritten(root, workspace, record):
    prepare(root, workspace)
    (workspace / LESSON_FILE).write_text("my work")
    (workspace / ".course/delivered.json").write_bytes(record)
    report = prepare(root, workspace)
    assert report.broken == [".course/delivered.broken.json"]
    assert (workspace / ".course/delivered.broken.json").read_bytes() == record
    assert (workspace / LESSON_FILE).read_text() == "my work"
    assert report.beside == ["lessons/02_foo_lesson.new.ipynb"]  # only what differs
    assert report.kept == [START, ASSIGNMENT_FILE]
    assert prepare(root, workspace).lines() == []


def test_a_run_that_was_cut_short_is_taken_up(root, workspace, monkeypatch):
    import course_utils.authoring.workspace as module

    write_record = module._write_record
    monkeypatch.setattr(
        module, "_write_record", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        prepare(root, workspace)
    monkeypatch.setattr(module, "_write_record", write_record)
    report = prepare(root, workspace)
    assert (report.kept, report.created) == ([START], [LESSON_FILE, ASSIGNMENT_FILE])


@pytest.mark.parametrize(
    "code, sentence",
    [
        (errno.ENOSPC, "The disk is full, so .*free some space"),
        (errno.EDQUOT, "The disk is full"),
        (errno.EACCES, "make .* writable for you, or choose another folder"),
        (errno.EROFS, "make .* writable for you, or choose another folder"),
        (errno.EIO, "Input/output error. Put that right"),
    ],
)
def test_a_folder_that_cannot_be_written(root, workspace, monkeypatch, code, sentence):
    prepare(root, workspace)
    (workspace / START).write_text("mine")
    (workspace / LESSON_FILE).unlink()
    before = files(workspace)

    def refuse(_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(CourseError, match=sentence) as caught:
        prepare(root, workspace)
    assert "\n" not in str(caught.value)
    assert files(workspace) == before  # and no temporary file is left
    monkeypatch.undo()
    assert prepare(root, workspace).restored == [LESSON_FILE]


def test_a_disk_without_hard_links_works_too(root, workspace, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert len(prepare(root, workspace).created) == 3


@pytest.mark.parametrize("taken", ["", "lessons", ".course", "assignments/02_foo"])
def test_a_file_in_place_of_a_folder(root, workspace, taken):
    file = workspace / taken
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("mine")
    with pytest.raises(
        CourseError, match="is a file, and a folder is needed there: move or rename"
    ):
        prepare(root, workspace)
    assert file.read_text() == "mine"


def test_a_repository_that_lacks_a_notebook(root, workspace):
    (root / "notebooks/02_foo_lesson.ipynb").unlink()
    with pytest.raises(CourseError, match="is missing: run `course build 02_foo_lesson`"):
        prepare(root, workspace)


def test_the_course_itself_is_no_workspace(root):
    with pytest.raises(CourseError, match="choose another folder"):
        prepare(root, root)
    assert not (root / "START_HERE.md").exists()


def test_the_record_says_which_originals_were_delivered(root, workspace):
    prepare(root, workspace)
    record = json.loads((workspace / ".course/delivered.json").read_text())
    assert list(record["files"]) == [START, LESSON_FILE, ASSIGNMENT_FILE]
    assert all(len(sha256) == 64 for versions in record["files"].values() for sha256 in versions)
