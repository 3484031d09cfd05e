"""New versions of the course meet what a learner wrote: nothing of it is ever lost."""

import copy
import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from a_course import (
    ASSIGNMENT_FILE,
    LESSON,
    LESSON_FILE,
    PROGRAM,
    Author,
    Learner,
    answer,
    cell,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from typer.testing import CliRunner, Result

from course_command import main as cli
from course_notebooks.matching import grade_id
from course_utils.errors import CourseError
from course_utils.program.holes import early
from course_workspace import commands as learners
from course_workspace.deliver import prepare
from course_workspace.merge import Merged, merge
from course_workspace.update import last_update, pending, plan, undo, update, written_since

PACKAGE = Path(__file__).resolve().parents[2]


@pytest.fixture
def learner(author: Author, tmp_path: Path) -> Learner:
    prepare(author.root, tmp_path / "workspace")
    return Learner(tmp_path / "workspace")


def bring_in(author: Author, learner: Learner, *names: str) -> str:
    """Update, and return what was said of the changes."""
    prepare(author.root, learner.workspace)
    changes = plan(author.root, learner.workspace, names)
    update(learner.workspace, changes)
    assert plan(author.root, learner.workspace, names) == []
    return "\n".join([each.words for each in changes] + [n for each in changes for n in each.notes])


def stub(head: str) -> str:
    return f"{head}\n    ### BEGIN SOLUTION\n    return 0\n    ### END SOLUTION"


# --- lessons


def test_a_changed_cell_becomes_new_and_the_learners_own_stay(author, learner):
    notebook = learner.read(LESSON_FILE)
    notebook.cells.insert(2, new_markdown_cell("my note"))
    cell(notebook, "two").source = "y = 2  # mine"
    learner.save(notebook, LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    said = bring_in(author, learner)
    assert learner.texts(LESSON_FILE) == ["# Foo", "x = 10", "my note", "Between.", "y = 2  # mine"]
    assert said == "1 cell changed; your changes in 1 cell and 1 cell of your own stay."


def test_where_both_changed_a_cell_the_learners_text_stays_and_the_new_one_is_under_it(
    author, learner
):
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    learner.write("between", "Between, and mine.", LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10").replace("Between.", "Between them."))
    bring_in(author, learner)
    _, mine, new, text, new_text, _ = learner.read(LESSON_FILE).cells
    assert (mine.source, text.source) == ("x = 1  # mine", "Between, and mine.")
    assert new.cell_type == new_text.cell_type == "markdown"
    assert new.source.startswith("> **New from the course.**")
    assert new.source.endswith("```python\nx = 10\n```")
    assert new_text.source.endswith("\n\nBetween them.")
    author.lesson(LESSON.replace("x = 1", "x = 10").replace("y = 2", "y = 3"))
    assert "2 cells changed" in bring_in(author, learner)
    assert learner.texts(LESSON_FILE).count(new.source) == 1


def test_a_new_cell_comes_and_a_deleted_one_stays_deleted(author, learner):
    notebook = learner.read(LESSON_FILE)
    notebook.cells.remove(cell(notebook, "between"))
    learner.save(notebook, LESSON_FILE)
    author.lesson(LESSON + '\n# %% {"slug": "three"}\nz = 3\n')
    assert bring_in(author, learner).startswith("1 cell new")
    assert learner.texts(LESSON_FILE) == ["# Foo", "x = 1", "y = 2", "z = 3"]


def test_what_the_course_gives_up_goes_and_what_was_written_in_it_stays(author, learner):
    learner.write("two", "y = 2  # mine", LESSON_FILE)
    text = LESSON.replace('\n# %% [markdown] {"slug": "between"}\n# Between.\n', "")
    author.lesson(text.replace('\n# %% {"slug": "two"}\ny = 2\n', ""))
    assert "gone" in bring_in(author, learner)
    assert learner.texts(LESSON_FILE) == ["# Foo", "x = 1", "y = 2  # mine"]


def test_a_cell_that_was_cut_within_a_statement_is_whole_again(author, learner):
    notebook = learner.read(LESSON_FILE)
    cell(notebook, "one").source = "if True:\n    x = 1\nelse:"
    notebook.cells.insert(2, new_code_cell("    x = 2"))
    learner.save(notebook, LESSON_FILE)
    author.lesson(LESSON.replace("y = 2", "y = 20"))
    bring_in(author, learner)
    assert learner.text("one", LESSON_FILE) == "if True:\n    x = 1\nelse:\n    x = 2"


def test_results_stay_where_the_cell_stays(author, learner):
    notebook = learner.read(LESSON_FILE)
    for each in notebook.cells:
        if each.cell_type == "code":
            each.outputs = [nbformat.v4.new_output("stream", text="seen")]
    notebook.cells.append(new_code_cell("mine"))
    learner.save(notebook, LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    bring_in(author, learner)
    _, one, _, two, _ = learner.read(LESSON_FILE).cells
    assert (one.outputs, len(two.outputs)) == ([], 1)


# --- assignments


def test_answers_are_carried_over(author, learner):
    learner.write("double", answer("double"))
    notebook = learner.read()
    notebook.cells.insert(3, new_code_cell("helper = 1"))
    learner.save(notebook)
    author.assignment("double", "triple", "quadruple", text="A better task.")
    said = bring_in(author, learner, "02_foo")
    assert said == (
        "1 new exercise, 2 cells changed, 3 cells new; your answers to 1 exercise and "
        "1 cell of your own stay."
    )
    assert learner.text("double") == answer("double")
    assert learner.text("double_task") == learner.text("triple_task") == "A better task."
    texts = learner.texts()
    assert texts.index("helper = 1") == texts.index(answer("double")) - 1
    assert "NotImplementedError" in learner.text("triple")
    assert all("secret" not in text for text in texts)


def test_a_changed_starting_text_is_told_and_put_under_the_answer(author, learner):
    learner.write("double", answer("double"))
    author.assignment("double", "triple", double=stub("def double(x, y):"))
    said = bring_in(author, learner)
    assert "The starting text of double has changed: your answer stays" in said
    texts = learner.texts()
    assert "def double(x, y):" in texts[texts.index(answer("double")) + 1]


def test_a_function_of_another_name_is_told(author, learner):
    learner.write("double", answer("double"))
    author.assignment("double", "triple", double=stub("def twice(x):"))
    assert "asks for a function `twice` now, and your answer defines `double`" in bring_in(
        author, learner
    )
    assert learner.text("double") == answer("double")


def test_a_renamed_exercise_is_told_and_its_answer_stays(author, learner):
    learner.write("double", answer("double"))
    author.assignment("twice", "triple")
    said = bring_in(author, learner)
    assert "The exercise double seems to be called twice now" in said
    kept = learner.read().cells[learner.texts().index(answer("double"))]
    assert grade_id(kept) is None
    nbformat.validate(learner.read())


def test_an_exercise_that_is_gone_is_told(author, learner):
    learner.write("double", answer("double"))
    author.assignment("triple")
    assert "The exercise double is no longer there" in bring_in(author, learner)
    assert answer("double") in learner.texts()


def test_what_was_written_into_a_locked_cell_stands_under_it(author, learner):
    learner.write("double_check", 'check("foo.double", double, seed=1)')
    author.assignment("double", "triple", text="A better task.")
    bring_in(author, learner)
    assert learner.text("double_check") == 'check("foo.double", double)'
    assert any("seed=1" in text for text in learner.texts())


def test_a_damaged_notebook_is_mended_on_the_way(author, learner):
    learner.write("double", "def double(x):\n    y = x")
    notebook = learner.read()
    place = notebook.cells.index(cell(notebook, "double"))
    notebook.cells.insert(place + 1, new_code_cell("    return x + y"))
    learner.save(notebook)
    author.assignment("double", "triple", text="A better task.")
    assert "Cut in two" in bring_in(author, learner)
    assert learner.text("double") == "def double(x):\n    y = x\n    return x + y"


def test_where_nobody_knows_the_former_version_all_that_differs_is_the_learners(author, learner):
    learner.write("double", answer("double"))
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    learner.forget()
    author.assignment("double", "triple", text="A better task.")
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    said = bring_in(author, learner)
    assert "the version that your copy came from is not known here" in said
    assert learner.text("double") == answer("double")
    assert learner.text("double_task") == "A better task."
    assert "x = 1  # mine" in learner.texts(LESSON_FILE)


# --- other files


def test_a_program_is_merged_by_its_lines(author, learner):
    program, original = learner.workspace / PROGRAM, author.root / "notebooks" / PROGRAM
    program.write_text(program.read_text().replace("default=0.003", "default=0.001"))
    original.write_text(original.read_text().replace("sys.exit(code)", "raise SystemExit(code)"))
    bring_in(author, learner)
    assert "default=0.001" in program.read_text()
    assert "raise SystemExit(code)" in program.read_text()


def test_a_program_of_which_both_changed_a_line_stays(author, learner):
    program, original = learner.workspace / PROGRAM, author.root / "notebooks" / PROGRAM
    program.write_text(program.read_text().replace("default=0.003", "default=0.001"))
    before = program.read_text()
    original.write_text(original.read_text().replace("default=0.003", "default=0.01"))
    assert "yours stays as it is" in bring_in(author, learner)
    assert program.read_text() == before
    new = early(author.root)["train.py"]
    assert program.with_name("train.from_course.py").read_text() == new
    assert "default=0.01" in new and "until lesson 01 is done" in new
    assert prepare(author.root, learner.workspace).lines() == []


# --- what is told, and undone


def test_what_waits_is_told(author, learner):
    learner.write("double", answer("double"))
    assert pending(author.root, learner.workspace) == []
    author.assignment("double", "triple", text="A better task.")
    prepare(author.root, learner.workspace)
    [waiting] = pending(author.root, learner.workspace)
    assert waiting == (
        "Assignment 02_foo, a new version: 2 cells changed; your answers to 1 exercise stay. "
        "`course update 02_foo` in a terminal brings it in."
    )
    (learner.workspace / ASSIGNMENT_FILE).write_text("{")
    assert pending(author.root, learner.workspace) == []
    with pytest.raises(CourseError, match=r"`course doctor assignments/02_foo/02_foo\.ipynb` says"):
        plan(author.root, learner.workspace)


def test_only_what_was_named_is_brought_in(author, learner):
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    learner.write("double", answer("double"))
    author.lesson(LESSON.replace("y = 2", "y = 20"))
    author.assignment("double", "triple", text="A better task.")
    prepare(author.root, learner.workspace)
    for name, expected in [
        ("02_foo", [ASSIGNMENT_FILE]),
        ("foo.double", [ASSIGNMENT_FILE]),
        ("02_foo_lesson", [LESSON_FILE]),
        ("02", [LESSON_FILE, ASSIGNMENT_FILE]),
        (LESSON_FILE, [LESSON_FILE]),
    ]:
        changes = plan(author.root, learner.workspace, [name])
        assert [each.path for each in changes] == expected
    with pytest.raises(CourseError, match=r"did you mean foo\.double"):
        plan(author.root, learner.workspace, ["foo.doubel"])


def test_the_differences_are_shown(author, learner):
    learner.write("two", "y = 2  # mine", LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    prepare(author.root, learner.workspace)
    [change] = plan(author.root, learner.workspace)
    lines = list(change.diff())
    assert "-x = 1" in lines and "+x = 10" in lines
    assert "-y = 2  # mine" not in lines


def test_an_update_is_undone(author, learner):
    learner.write("double", answer("double"))
    before = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    author.assignment("double", "triple", text="A better task.")
    bring_in(author, learner)
    after = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    backup = last_update(learner.workspace)
    assert written_since(learner.workspace, backup) == []
    learner.write("triple", answer("triple"))
    assert written_since(learner.workspace, backup) == [ASSIGNMENT_FILE]
    later = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    undo(learner.workspace, backup)
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before
    assert learner.backups() == [before, later]
    assert [each.path for each in plan(author.root, learner.workspace)] == [ASSIGNMENT_FILE]
    with pytest.raises(CourseError, match="no update to undo"):
        last_update(learner.workspace)
    update(learner.workspace, plan(author.root, learner.workspace))
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == after


# --- what may go wrong


def touched(author: Author, learner: Learner) -> None:
    learner.write("double", answer("double"))
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    author.assignment("double", "triple", text="A better task.")
    prepare(author.root, learner.workspace)


def test_a_file_that_was_saved_meanwhile_is_left_alone(author, learner):
    touched(author, learner)
    changes = plan(author.root, learner.workspace)
    learner.write("triple", answer("triple"))
    with pytest.raises(CourseError, match="was saved meanwhile: run this once more"):
        update(learner.workspace, changes)
    assert learner.backups() == []
    assert "x = 10" not in learner.text("one", LESSON_FILE)


def test_an_update_that_is_killed_at_any_step_loses_nothing(author, learner, monkeypatch):
    touched(author, learner)
    expected = {each.path: each.after for each in plan(author.root, learner.workspace)}
    former = {path: (learner.workspace / path).read_bytes() for path in expected}
    for step in range(1, 40):
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", failing_at(step, KeyboardInterrupt()))
            try:
                update(learner.workspace, plan(author.root, learner.workspace))
            except KeyboardInterrupt:
                done = False
            else:
                done = True
        assert not list(learner.workspace.rglob("*.tmp"))
        for path in expected:
            now = (learner.workspace / path).read_bytes()
            assert now == former[path] or former[path] in learner.backups(path)
            assert now in (former[path], expected[path])
        if done:
            break
    assert done and step > 5
    assert {path: (learner.workspace / path).read_bytes() for path in expected} == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "code, sentence",
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EROFS, "make .* writable"),
        (errno.EACCES, "make .* writable"),
    ],
)
def test_a_folder_that_cannot_be_written(author, learner, monkeypatch, code, sentence):
    touched(author, learner)
    before = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    changes = plan(author.root, learner.workspace)
    with monkeypatch.context() as patched, pytest.raises(CourseError, match=sentence):
        patched.setattr(os, "fsync", failing_at(1, OSError(code, os.strerror(code))))
        update(learner.workspace, changes)
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before
    update(learner.workspace, changes)


@pytest.mark.slow
@pytest.mark.skipif(
    subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0,
    reason="this system lets nobody mount",
)
@pytest.mark.parametrize("kind", ["full", "read-only"])
def test_a_real_disk_that_is_full_or_read_only(author, learner, tmp_path, kind):
    touched(author, learner)
    before = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        "import sys; from pathlib import Path; from course_utils.errors import CourseError;"
        "from course_workspace.update import plan, update\n"
        "root, workspace = map(Path, sys.argv[1:])\n"
        "try: update(workspace, plan(root, workspace))\n"
        "except CourseError as error: print(error)\n"
    )
    spoil = {
        "full": 'head -c 64M /dev/zero > "$DISK/rest" 2>/dev/null; : ',
        "read-only": 'mount -o remount,ro "$DISK"',
    }[kind]
    commands = (
        f'mount -t tmpfs -o size=2m none "$DISK" && cp -r "$WORK/." "$DISK" && {spoil}; '
        '"$PYTHON" -c "$SCRIPT" "$ROOT" "$DISK"; '
        f'cmp "$DISK/{ASSIGNMENT_FILE}" "$WORK/{ASSIGNMENT_FILE}" && echo the same'
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", commands],
        capture_output=True,
        text=True,
        cwd=PACKAGE,
        env={
            **os.environ,
            "DISK": str(disk),
            "WORK": str(learner.workspace),
            "SCRIPT": script,
            "PYTHON": sys.executable,
            "ROOT": str(author.root),
        },
    )
    assert {"full": "The disk is full", "read-only": "writable"}[kind] in done.stdout, done.stderr
    assert done.stdout.endswith("the same\n")
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before


@pytest.mark.parametrize("name", ["my work", "我的课程"])
def test_a_folder_of_any_name(author, tmp_path, name):
    learner = Learner(tmp_path / name)
    prepare(author.root, learner.workspace)
    touched(author, learner)
    bring_in(author, learner)
    assert learner.text("double") == answer("double")
    undo(learner.workspace, last_update(learner.workspace))
    assert learner.text("double_task") != "A better task."


@pytest.mark.slow
def test_two_updates_at_once(author, learner):
    touched(author, learner)
    script = (
        "import sys; from pathlib import Path; from course_utils.errors import CourseError;"
        "from course_workspace.update import plan, update\n"
        "root, workspace = map(Path, sys.argv[1:])\n"
        "changes = plan(root, workspace)\n"
        "print(len(changes), flush=True); sys.stdin.read(1)\n"
        "try: update(workspace, changes)\n"
        "except CourseError as error: print(error)\n"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(author.root), str(learner.workspace)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=PACKAGE,
        )
        for _ in range(2)
    ]
    assert [process.stdout.readline() for process in both] == ["2\n", "2\n"]
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    said = sorted(process.communicate()[0] for process in both)
    assert said[0] == "" and "was saved meanwhile" in said[1]
    assert learner.text("double") == answer("double")
    assert len(learner.backups()) == 1


def failing_at(number: int, error: BaseException) -> Callable[[int], None]:
    calls = iter(range(1, 1_000))

    def fsync(_: int) -> None:
        if next(calls) == number:
            raise error

    return fsync


# --- the command


@pytest.fixture
def command(author, learner, monkeypatch) -> Callable[..., Result]:
    monkeypatch.setattr(learners, "repository_root", lambda: author.root)
    monkeypatch.setenv("COURSE_WORKSPACE", str(learner.workspace))
    return lambda *words, says="": CliRunner().invoke(cli.every_command(), words, input=says)


@pytest.mark.slow
@pytest.mark.parametrize("says", ["n\n", "\n", ""])
def test_nothing_changes_without_a_yes(author, learner, command, says):
    touched(author, learner)
    before = (learner.workspace / ASSIGNMENT_FILE).read_bytes()
    for words in (["update"], ["reset", "foo.double"]):
        done = command(*words, says=says)
        assert done.exit_code == 1
        assert "Save " in done.output
    assert (learner.workspace / ASSIGNMENT_FILE).read_bytes() == before


@pytest.mark.slow
def test_an_update_by_the_command(author, learner, command):
    assert command("update").output.endswith("Everything is up to date.\n")
    touched(author, learner)
    assert "+A better task." in command("update", "02_foo", "--diff").output
    said = command("update", says="y\n").output
    assert "2 cells changed; your answers to 1 exercise stay." in said
    assert "choose File → Reload Notebook from Disk before you save" in said
    assert learner.text("double_task") == "A better task."
    assert command("update", "--undo", says="y\n").exit_code == 0
    assert learner.text("double_task") != "A better task."
    assert command("reset", "foo.double", "--yes").exit_code == 0
    assert "NotImplementedError" in learner.text("double")
    assert "has its starting text already" in command("reset", "foo.double").output


def test_the_doctor_by_the_command(author, learner, command):
    assert command("doctor", "02_foo").exit_code == 0
    learner.write("double_check", "1")
    done = command("doctor", "02_foo")
    assert done.exit_code == 1 and "`course doctor 02_foo --mend` puts it right" in done.output
    assert command("doctor", "02_foo", "--mend").exit_code == 0
    assert learner.text("double_check") == 'check("foo.double", double)'


# --- any merge


KEYS = ["a", "b", "c", "d", "e"]
FLAGS = {"schema_version": 3, "task": False, "grade": False}


def course_cell(key: str, kind: str, text: str) -> NotebookNode:
    """A cell of the course: a text, a program, a locked text or an exercise."""
    if kind == "exercise":
        meta = {"nbgrader": {**FLAGS, "grade_id": key, "locked": False, "solution": True}}
        return new_code_cell(
            f"def {key}(x):\n    # {text}\n    raise NotImplementedError()", id=key, metadata=meta
        )
    if kind == "locked":
        meta = {"nbgrader": {**FLAGS, "grade_id": key, "locked": True, "solution": False}}
        return new_markdown_cell(f"{key} {text}", id=key, metadata=meta)
    new = new_code_cell if kind == "code" else new_markdown_cell
    return new(f"{key} {text}", id=key)


KINDS = st.fixed_dictionaries(
    {key: st.sampled_from(["exercise", "locked", "code", "markdown"]) for key in KEYS}
)
VERSION = st.lists(
    st.tuples(st.sampled_from(KEYS), st.sampled_from(["old", "new"])),
    unique_by=lambda pair: pair[0],
    max_size=5,
)
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["own", "edit", "answer", "delete", "copy", "retype", "move", "strip"]),
        st.integers(0, 20),
        st.integers(0, 20),
    ),
    max_size=6,
)


def version(cells: list[tuple[str, str]], kinds: dict[str, str]) -> NotebookNode:
    return new_notebook(cells=[course_cell(key, kinds[key], text) for key, text in cells])


def worked_in(
    base: NotebookNode, actions: list[tuple[str, int, int]]
) -> tuple[NotebookNode, set[str]]:
    """What a learner made of a version, and the texts that they wrote and did not delete."""
    mine = copy.deepcopy(base)
    for number, (action, here, there) in enumerate(actions):
        cells, text = mine.cells, f"written {number}"
        if action == "own" or not cells:
            new = (new_code_cell, new_markdown_cell, new_raw_cell)[there % 3]
            cells.insert(here % (len(cells) + 1), new(text))
            continue
        chosen = cells[here % len(cells)]
        match action:
            case "edit":
                chosen.source = text
            case "answer":
                chosen.source = f"def {KEYS[there % 5]}(x):\n    return {number}"
            case "delete":
                cells.remove(chosen)
            case "copy":
                twin = copy.deepcopy(chosen)
                twin.id = f"twin-{number}"
                cells.insert(there % (len(cells) + 1), twin)
            case "retype":
                cells[cells.index(chosen)] = new_raw_cell(
                    chosen.source, metadata=chosen.metadata, id=chosen.id
                )
            case "move":
                cells.remove(chosen)
                cells.insert(there % (len(cells) + 1), chosen)
            case "strip":
                chosen.metadata, chosen.id = NotebookNode(), f"stripped-{number}"
    delivered = {each.source for each in base.cells}
    return mine, {each.source for each in mine.cells} - delivered


MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow
@MANY
@given(VERSION, VERSION, KINDS, ACTIONS, st.booleans())
def test_nothing_that_the_learner_wrote_is_lost(old, new, kinds, actions, known):
    base, theirs = version(old, kinds), version(new, kinds)
    mine, written = worked_in(base, actions)
    before = copy.deepcopy((base, mine, theirs))
    merged = merge(base if known else None, mine, theirs)
    assert (base, mine, theirs) == before
    texts = "\n".join(each.source for each in merged.notebook.cells)
    assert all(text in texts for text in written)  # what was put back is quoted
    check_the_courses_cells(merged, theirs)
    nbformat.validate(merged.notebook)
    if known:
        again = merge(theirs, merged.notebook, theirs)
        assert [c.source for c in again.notebook.cells] == [c.source for c in merged.notebook.cells]


def test_two_answers_in_one_cell_are_told_once_however_often_it_is_merged():
    both = version([("b", "old"), ("a", "old")], dict.fromkeys(KEYS, "exercise"))
    mine = copy.deepcopy(both)
    mine.cells[0].source = "def b(x):\n    return 1\n\n\ndef a(x):\n    return 0"
    for _ in range(3):
        mine = merge(both, mine, both).notebook
        assert [cell.source for cell in mine.cells[1:]] == ["# Answered in the cell b, above."]


def check_the_courses_cells(merged: Merged, theirs: NotebookNode) -> None:
    """What nbgrader knows is there once, in order, and locked texts are the new ones."""
    graded = [each for each in theirs.cells if grade_id(each)]
    kept = [each for each in merged.notebook.cells if grade_id(each)]
    assert [grade_id(each) for each in kept] == [grade_id(each) for each in graded]
    for ours, there in zip(graded, kept, strict=True):
        assert there.metadata["nbgrader"] == ours.metadata["nbgrader"]
        assert there.cell_type == ours.cell_type
        if ours.metadata["nbgrader"]["locked"]:
            assert there.source == ours.source


@MANY
@given(VERSION, VERSION, KINDS)
def test_an_untouched_copy_becomes_the_new_version(old, new, kinds):
    base, theirs = version(old, kinds), version(new, kinds)
    assert merge(base, base, theirs).notebook.cells == theirs.cells


@MANY
@given(VERSION, KINDS, ACTIONS)
def test_without_a_new_version_nothing_changes_but_damage_and_that_is_said(old, kinds, actions):
    base = version(old, kinds)
    gentle = [each for each in actions if each[0] in ("own", "edit", "answer")]
    mine, _ = worked_in(base, gentle)
    merged = merge(base, mine, base)
    same = [each.source for each in merged.notebook.cells] == [each.source for each in mine.cells]
    assert same or merged.found
