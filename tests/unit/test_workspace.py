"""The learner's workspace: delivered whole, refreshed, and never written over."""

import contextlib
import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from a_course import EXERCISE
from a_course import MANIFEST as COURSE

from course_authoring.conversion import notebook_from_text
from course_authoring.text import build
from course_notebooks.release import released_notebook
from course_utils.errors import CourseError
from course_workspace import deliver
from course_workspace.deliver import prepare
from course_workspace.deliveries import sha256

MANIFEST = COURSE + EXERCISE.format("double", 4)
LESSON = '# %% {"slug": "one"}\nx = 1\n'
TWO = '\n# %% {"slug": "two"}\ny = 0\n'
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
ALL = [START, LESSON_FILE, ASSIGNMENT_FILE]


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


def read(workspace: Path) -> Callable[[str], bytes]:
    return lambda path: (workspace / path).read_bytes()


def write_in(copy: Path, text: str) -> None:
    """What a learner writes in the last code cell of a notebook."""
    notebook = nbformat.read(copy, as_version=4)
    [*_, cell] = [cell for cell in notebook.cells if cell.cell_type == "code"]
    cell.source = text
    nbformat.write(notebook, copy)


def run_in(copy: Path) -> None:
    """What running a notebook in JupyterLab leaves in its file."""
    notebook = nbformat.read(copy, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = 7
            cell.outputs = [nbformat.v4.new_output("stream", text="seen")]
            cell.metadata["scrolled"] = True
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11"}
    nbformat.write(notebook, copy)


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
    kept = {f".course/delivered/{hash}.gz" for hash in map(sha256, map(read(workspace), ALL))}
    noted = {".course/delivered.json", ".course/lock"}
    assert set(files(workspace)) == {*ALL, *kept, *noted}
    assert f"{START}: created." in report.lines()


def test_the_second_run_changes_nothing_and_converts_nothing(root, workspace, monkeypatch):
    prepare(root, workspace)
    before = files(workspace)
    monkeypatch.delattr(deliver._Original, "content")  # releasing a notebook takes seconds
    report = prepare(root, workspace)
    assert report.kept == [START, LESSON_FILE, ASSIGNMENT_FILE]
    assert report.lines() == []
    assert files(workspace) == before


def test_the_second_run_does_not_import_nbgrader(root, workspace):
    prepare(root, workspace)
    script = (
        "import sys; from pathlib import Path;"
        "from course_workspace.deliver import prepare;"
        "prepare(Path(sys.argv[1]), Path(sys.argv[2]));"
        "print(sorted({'torch', 'nbformat', 'jupytext', 'nbgrader'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script, str(root), str(workspace)]
    package = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=package)
    assert done.stdout.strip() == "[]", done.stderr


def test_an_untouched_copy_becomes_the_new_version(root, workspace):
    prepare(root, workspace)
    write_lesson(root, LESSON.replace("1", "2"))
    write_assignment(root, ASSIGNMENT.replace("Twice x", "Two times x"))
    report = prepare(root, workspace)
    assert report.replaced == [LESSON_FILE, ASSIGNMENT_FILE]
    assert "x = 2" in (workspace / LESSON_FILE).read_text()
    text = (workspace / ASSIGNMENT_FILE).read_text()
    assert "Two times x" in text and "secret" not in text
    assert prepare(root, workspace).lines() == []


def test_a_copy_that_was_only_run_becomes_the_new_version_and_shows_what_it_showed(root, workspace):
    write_lesson(root, LESSON + TWO)
    prepare(root, workspace)
    run_in(workspace / LESSON_FILE)
    write_lesson(root, LESSON.replace("1", "2") + TWO)
    assert prepare(root, workspace).replaced == [LESSON_FILE]
    assert os.listdir(workspace / "lessons") == [Path(LESSON_FILE).name]
    one, two = nbformat.read(workspace / LESSON_FILE, as_version=4).cells
    assert (one.source, one.outputs, two.outputs[0].text) == ("x = 2", [], "seen")
    write_lesson(root, LESSON.replace("1", "3") + TWO)
    assert prepare(root, workspace).replaced == [LESSON_FILE]


@pytest.mark.parametrize("work", ["x = 1  # mine", ""])
def test_a_touched_copy_stays_and_each_new_version_is_put_beside_it_once(root, workspace, work):
    prepare(root, workspace)
    write_in(workspace / LESSON_FILE, work)
    before = (workspace / LESSON_FILE).read_bytes()
    for number, name in ((2, "02_foo_lesson.new"), (3, "02_foo_lesson.new-2")):
        write_lesson(root, LESSON.replace("1", str(number)) + TWO)
        assert prepare(root, workspace).beside == [f"lessons/{name}.ipynb"]
        there = files(workspace / "lessons")
        assert prepare(root, workspace).lines() == []
        assert files(workspace / "lessons") == there
        assert (workspace / LESSON_FILE).read_bytes() == before
    write_lesson(root, LESSON)  # the first version again
    assert prepare(root, workspace).beside == []


def test_a_change_that_learners_never_see_is_no_new_version(root, workspace):
    prepare(root, workspace)
    before = (workspace / ASSIGNMENT_FILE).read_bytes()
    write_assignment(root, ASSIGNMENT.replace("secret", "hidden"))
    assert ASSIGNMENT_FILE in prepare(root, workspace).kept
    assert (workspace / ASSIGNMENT_FILE).read_bytes() == before


def test_a_version_that_was_lost_is_kept_again(root, workspace):
    prepare(root, workspace)
    kept = files(workspace / ".course/delivered")
    for file in (workspace / ".course/delivered").glob("*.gz"):
        file.unlink()
    prepare(root, workspace)
    assert files(workspace / ".course/delivered") == kept


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
        b'{"version": 3, "files": {}}',
        b'{"version": 2, "files": {"a": 1}}',
        b'{"version": 2, "files": {"a": {"copy": ["x"]}}}',
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
    """Before each of its steps, and each time the next run goes on from there."""
    for _ in range(3 * len(ALL)):
        with monkeypatch.context() as patched, contextlib.suppress(KeyboardInterrupt):
            patched.setattr(os, "fsync", interrupted_at(2))
            prepare(root, workspace)
        assert not list(workspace.rglob("*.tmp"))
    assert all((workspace / path).exists() for path in ALL)
    prepare(root, workspace)
    assert prepare(root, workspace).kept == ALL


def interrupted_at(number: int) -> Callable[[int], None]:
    calls = iter(range(1, 1_000))

    def fsync(_: int) -> None:
        if next(calls) == number:
            raise KeyboardInterrupt

    return fsync


@pytest.mark.parametrize(
    "code, sentence",
    [
        (errno.ENOSPC, "The disk is full, so .*Free some space"),
        (errno.EDQUOT, "The disk is full"),
        (errno.EACCES, "Make .* writable for you, or choose another folder"),
        (errno.EROFS, "Make .* writable for you, or choose another folder"),
        (errno.EIO, "Input/output error. Fix this"),
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
        CourseError, match=r"is a file, and a folder is needed there\. Move or rename"
    ):
        prepare(root, workspace)
    assert file.read_text() == "mine"


def test_a_repository_that_lacks_a_notebook(root, workspace):
    (root / "notebooks/02_foo_lesson.ipynb").unlink()
    with pytest.raises(CourseError, match=r"is missing\. Run `course build 02_foo_lesson`"):
        prepare(root, workspace)


def test_the_course_itself_is_no_workspace(root):
    with pytest.raises(CourseError, match="Choose another folder"):
        prepare(root, root)
    assert not (root / "START_HERE.md").exists()
