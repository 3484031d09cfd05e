"""New versions of the course come beside what a learner wrote: nothing of it is ever lost."""

import copy
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from a_course import (
    ASSIGNMENT_FILE,
    LESSON,
    LESSON_FILE,
    Author,
    Learner,
    answer,
    cell,
    failing_at,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from typer.testing import CliRunner, Result

from course_command import main as cli
from course_notebooks.matching import grade_id
from course_workspace import commands as learners
from course_workspace.carried import carry
from course_workspace.deliver import prepare
from course_workspace.repair import diagnose
from course_workspace.reset import plan_reset, reset
from course_workspace.start import news

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).resolve().parents[2]
BEFORE = Path(__file__).with_name("workspace_of_0_2.zip")
NEW_LESSON = "lessons/02_foo_lesson.new.ipynb"
NEW = "assignments/02_foo/02_foo.new.ipynb"


@pytest.fixture
def learner(author: Author, tmp_path: Path) -> Learner:
    prepare(author.root, tmp_path / "workspace")
    return Learner(tmp_path / "workspace")


def arrives(author: Author, learner: Learner, *new: str) -> str:
    """Let new versions arrive, which leaves every file as it was; returns what is told of them."""
    before = files(learner)
    assert prepare(author.root, learner.workspace).beside == list(new)
    after = files(learner)
    assert {path: after[path] for path in before} == before
    assert after.keys() - before.keys() == set(new)
    assert prepare(author.root, learner.workspace).beside == []
    return "\n".join(news(learner.workspace))


def files(learner: Learner) -> dict[str, bytes]:
    found = (each for each in learner.workspace.rglob("*") if each.is_file())
    paths = {each.relative_to(learner.workspace).as_posix(): each for each in found}
    return {
        path: file.read_bytes()
        for path, file in paths.items()
        if not path.startswith((".course/", "project/.git/", "START_HERE"))
    }


def stub(head: str) -> str:
    return f"{head}\n    ### BEGIN SOLUTION\n    return 0\n    ### END SOLUTION"


# --- lessons


def test_a_lesson_comes_with_what_was_written_in_it(author, learner):
    notebook = learner.read(LESSON_FILE)
    notebook.cells.insert(2, new_markdown_cell("my note"))
    cell(notebook, "two").source = "y = 2  # mine"
    cell(notebook, "two").outputs = [nbformat.v4.new_output("stream", text="seen")]
    cell(notebook, "between").source = "Between, and mine."
    learner.save(notebook, LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    assert arrives(author, learner, NEW_LESSON) == (
        "Lesson 02, Foo has a new version: 02_foo_lesson.new.ipynb, with what you wrote. Your "
        "02_foo_lesson.ipynb is unchanged. To use the new one, rename 02_foo_lesson.ipynb to "
        "02_foo_lesson.old.ipynb, then 02_foo_lesson.new.ipynb to 02_foo_lesson.ipynb."
    )
    new = learner.read(NEW_LESSON)
    assert [each.source for each in new.cells] == [
        "# Foo",
        "x = 10",
        "my note",
        "Between, and mine.",
        "y = 2  # mine",
    ]
    assert cell(new, "two").outputs[0].text == "seen"


def test_where_both_changed_a_cell_it_is_told_which_of_the_two_is_there(author, learner):
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    learner.write("between", "Between, and mine.", LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10").replace("Between.", "Between them."))
    said = arrives(author, learner, NEW_LESSON)
    assert learner.texts(NEW_LESSON) == ["# Foo", "x = 1  # mine", "Between them.", "y = 2"]
    assert said.endswith(
        "Your text is kept in one, which the course has changed, too. "
        "Only the old file has what you wrote in cell 3 (“Between, and mine.”)."
    )


def test_what_the_course_gives_up_goes_and_what_was_written_in_it_stays(author, learner):
    learner.write("two", "y = 2  # mine", LESSON_FILE)
    text = LESSON.replace('\n# %% [markdown] {"slug": "between"}\n# Between.\n', "")
    author.lesson(text.replace('\n# %% {"slug": "two"}\ny = 2\n', ""))
    arrives(author, learner, NEW_LESSON)
    assert learner.texts(NEW_LESSON) == ["# Foo", "x = 1", "y = 2  # mine"]


# --- assignments


def test_answers_are_carried_over(author, learner):
    learner.write("double", answer("double"))
    notebook = learner.read()
    notebook.cells.insert(3, new_code_cell("helper = 1"))
    learner.save(notebook)
    author.assignment("double", "triple", "quadruple", text="A better task.")
    said = arrives(author, learner, NEW)
    assert "02_foo.new.ipynb, with what you wrote (1 answer)." in said
    assert learner.text("double", NEW) == answer("double")
    assert learner.text("double_task", NEW) == learner.text("triple_task", NEW) == "A better task."
    texts = learner.texts(NEW)
    assert texts.index("helper = 1") == texts.index(answer("double")) - 1
    assert "NotImplementedError" in learner.text("triple", NEW)
    assert all("secret" not in text for text in texts)


def test_a_new_starting_text_comes_where_there_is_no_answer(author, learner):
    learner.write("double", answer("double"))
    stubs = {"double": stub("def double(x, y):"), "triple": stub("def triple(x, y):")}
    author.assignment("double", "triple", **stubs)
    said = arrives(author, learner, NEW)
    assert "Your text is kept in double, which the course has changed, too." in said
    assert learner.text("double", NEW) == answer("double")
    assert learner.text("triple", NEW).startswith("def triple(x, y):")


def test_the_answer_to_an_exercise_that_is_gone_is_in_a_cell_of_its_own(author, learner):
    learner.write("double", answer("double"))
    author.assignment("twice", "triple")
    arrives(author, learner, NEW)
    kept = learner.read(NEW).cells[learner.texts(NEW).index(answer("double"))]
    assert grade_id(kept) is None
    assert not any("double" in text for text in learner.texts(NEW) if text != kept.source)
    nbformat.validate(learner.read(NEW))


def test_the_answer_to_a_renamed_exercise_is_carried_over_in_its_new_name(author, learner):
    learner.write("double", answer("double"))
    notebook = learner.read()
    notebook.cells.insert(3, new_code_cell("doubled = double(1)"))
    learner.save(notebook)
    author.assignment("twice", "triple")
    author.calls("foo.double", "foo.twice")
    said = arrives(author, learner, NEW)
    assert "with what you wrote (1 answer)" in said and "Only the old" not in said
    assert learner.text("twice", NEW) == answer("twice")
    assert "doubled = twice(1)" in learner.texts(NEW)
    assert learner.text("twice_check", NEW) == 'check("foo.twice", twice)'


def test_the_answers_of_a_renamed_assignment_are_carried_over(author, learner):
    learner.write("double", answer("double"))
    before = files(learner)
    shutil.copytree(author.root / "assignments/source/02_foo", author.root / "bar")
    (author.root / "bar/02_foo.ipynb").rename(author.root / "bar/02_bar.ipynb")
    (author.root / "bar").rename(author.root / "assignments/source/02_bar")
    manifest = author.root / "course.toml"
    manifest.write_text(manifest.read_text().replace("02_foo", "02_bar").replace("foo.", "bar."))
    for old, new in (
        ("02_foo", "02_bar"),
        ("foo.double", "bar.double"),
        ("foo.triple", "bar.triple"),
    ):
        author.calls(old, new)
    report = prepare(author.root, learner.workspace)
    (note,) = [line for line in report.lines() if "02_bar" in line and "with" in line]
    assert "with what you wrote (1 answer) in assignments/02_foo/02_foo.ipynb" in note
    assert learner.text("double", "assignments/02_bar/02_bar.ipynb") == answer("double")
    after = files(learner)
    assert {path: after[path] for path in before} == before
    prepare(author.root, learner.workspace)
    assert files(learner) == after


def test_what_a_learner_wrote_in_a_renumbered_lesson_is_carried_over(author, learner):
    notebook = learner.read(LESSON_FILE)
    notebook.cells.append(new_code_cell("my_own = 1"))
    learner.save(notebook, LESSON_FILE)
    source = author.root / "notebooks/02_foo_lesson.ipynb"
    source.rename(source.with_stem("03_foo_lesson"))
    manifest = author.root / "course.toml"
    text = manifest.read_text().replace('number = "02"', 'number = "03"')
    manifest.write_text(text.replace('lesson = "02"', 'lesson = "03"'))
    author.calls("02_foo_lesson", "03_foo_lesson")
    prepare(author.root, learner.workspace)
    assert "my_own = 1" in learner.texts("lessons/03_foo_lesson.ipynb")
    assert "my_own = 1" in learner.texts(LESSON_FILE)


def test_what_stood_in_a_cell_of_the_course_is_told(author, learner):
    learner.write("double_check", 'check("foo.double", double, seed=1)')
    author.assignment("double", "triple", text="A better task.")
    said = arrives(author, learner, NEW)
    assert "Only the old file has what you wrote in cell 6 (“check(" in said
    assert learner.text("double_check", NEW) == 'check("foo.double", double)'


def test_a_damaged_notebook_gets_the_new_version_as_it_is(author, learner):
    (learner.workspace / ASSIGNMENT_FILE).write_text("{")
    author.assignment("double", "triple", text="A better task.")
    said = arrives(author, learner, NEW)
    assert "without what you wrote" in said and "`course doctor assignments/02_foo" in said
    assert learner.text("double_task", NEW) == "A better task."


def test_where_nobody_knows_the_former_version_all_that_differs_is_the_learners(author, learner):
    learner.write("double", answer("double"))
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    (learner.workspace / ".course/delivered.json").unlink()
    author.assignment("double", "triple", text="A better task.")
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    arrives(author, learner, NEW_LESSON, NEW)
    assert learner.text("double", NEW) == answer("double")
    assert learner.text("double_task", NEW) == "A better task."
    assert "x = 1  # mine" in learner.texts(NEW_LESSON)


# --- changing over


def change_over(learner: Learner, path: str = ASSIGNMENT_FILE) -> None:
    file = learner.workspace / path
    file.rename(file.with_name(f"{file.stem}.old{file.suffix}"))
    file.with_name(f"{file.stem}.new{file.suffix}").rename(file)


def test_a_new_version_takes_the_old_ones_place_by_its_name_and_gives_it_back(author, learner):
    learner.write("double", answer("double"))
    author.assignment("double", "triple", "four", text="Better.", double=stub("def double(x, y):"))
    arrives(author, learner, NEW)
    change_over(learner)
    assert news(learner.workspace) == []
    assert (
        diagnose(author.root, learner.workspace, "02_foo").lines()[0].endswith("no problems found.")
    )
    reset(learner.workspace, plan_reset(author.root, learner.workspace, "foo.double"))
    assert learner.text("double").startswith("def double(x, y):")

    learner.write("four", answer("four"))
    author.assignment("double", "triple", "four", text="Best.", double=stub("def double(x, y):"))
    arrives(author, learner, NEW)
    assert learner.text("four", NEW) == answer("four")
    assert learner.text("double_task", NEW) == "Best."

    file = learner.workspace / ASSIGNMENT_FILE
    file.with_name("02_foo.old.ipynb").rename(file)
    diagnosis = diagnose(author.root, learner.workspace, "02_foo")
    assert (diagnosis.found, learner.text("double")) == ([], answer("double"))
    assert diagnosis.notes == [f"There is a new version of it: {NEW}."]


def test_an_answer_in_the_new_version_is_found_before_it_takes_the_old_ones_place(author, learner):
    learner.write("double", answer("double"))
    author.assignment("double", "triple", text="Better.")
    arrives(author, learner, NEW)
    learner.write("triple", answer("triple"), NEW)
    found = diagnose(author.root, learner.workspace, "02_foo").found
    assert found == ["triple has no answer here, but one in 02_foo.new.ipynb."]


def test_a_new_version_that_was_deleted_does_not_come_again(author, learner):
    learner.write("double", answer("double"))
    author.assignment("double", "triple", text="Better.")
    arrives(author, learner, NEW)
    (learner.workspace / NEW).unlink()
    assert news(learner.workspace) == []
    arrives(author, learner)


@pytest.mark.parametrize("name", ["my work", "我的课程", "a'b\"c"])
def test_a_workspace_of_the_version_before(author, tmp_path, name):
    """Made by 0.2: answers in it, and new versions that waited for `course update`."""
    learner = Learner(tmp_path / name)
    with zipfile.ZipFile(BEFORE) as archive:
        archive.extractall(learner.workspace)
    author.assignment("double", "triple", text="A better task.")
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    before = {
        path: (learner.workspace / path).read_bytes() for path in (ASSIGNMENT_FILE, LESSON_FILE)
    }
    assert {NEW, NEW_LESSON} <= set(prepare(author.root, learner.workspace).beside)
    assert all((learner.workspace / path).read_bytes() == before[path] for path in before)
    assert learner.text("double", NEW) == answer("double")
    assert learner.text("double_task", NEW) == "A better task."
    assert "A note of mine." in learner.texts(NEW)
    assert learner.texts(NEW_LESSON) == ["# Foo", "x = 10", "Between.", "y = 2  # mine"]
    change_over(learner)
    assert diagnose(author.root, learner.workspace, "02_foo").found == []


# --- what may go wrong


def touched(author: Author, learner: Learner) -> None:
    learner.write("double", answer("double"))
    learner.write("one", "x = 1  # mine", LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    author.assignment("double", "triple", text="A better task.")


def test_a_start_that_is_killed_at_any_step_is_taken_up(author, learner, monkeypatch):
    touched(author, learner)
    before = files(learner)
    for step in range(1, 40):
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", failing_at(step, KeyboardInterrupt()))
            try:
                prepare(author.root, learner.workspace)
            except KeyboardInterrupt:
                done = False
            else:
                done = True
        after = files(learner)
        assert {path: after[path] for path in before} == before
        assert after.keys() - before.keys() <= {NEW, NEW_LESSON}
        if done:
            break
    assert done and step > 3
    assert learner.text("double", NEW) == answer("double")
    assert learner.text("one", NEW_LESSON) == "x = 1  # mine"
    assert len(news(learner.workspace)) == 2


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
        "from course_workspace.deliver import prepare\n"
        "try: prepare(*map(Path, sys.argv[1:]))\n"
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


@pytest.mark.more
def test_two_starts_at_once_do_not_meet(author, learner, tmp_path):
    touched(author, learner)
    script = (
        "import sys; from pathlib import Path; from course_workspace.deliver import prepare\n"
        "done = prepare(*map(Path, sys.argv[1:])); print(*done.created, *done.beside)\n"
    )
    for workspace, new in ((learner.workspace, 2), (tmp_path / "another", 5)):
        command = [sys.executable, "-c", script, str(author.root), str(workspace)]
        both = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PACKAGE)
            for _ in range(2)
        ]
        said = [process.communicate()[0].split() for process in both]
        assert [process.returncode for process in both] == [0, 0]
        assert sorted(map(len, said)) == [0, new]


# --- the commands


@pytest.fixture
def command(author, learner, monkeypatch) -> Callable[..., Result]:
    monkeypatch.setattr(learners, "repository_root", lambda: author.root)
    monkeypatch.setenv("COURSE_WORKSPACE", str(learner.workspace))
    return lambda *words, says="": CliRunner().invoke(cli.every_command(), words, input=says)


def test_a_reset_by_the_command(author, learner, command):
    learner.write("double", answer("double"))
    for says in ("n\n", "\n", ""):
        done = command("reset", "foo.double", says=says)
        assert done.exit_code == 1 and "Save " in done.output
        assert learner.text("double") == answer("double")
    said = command("reset", "foo.double", "--yes").output
    assert "Your answer is in assignments/02_foo/double.old.py." in said
    assert "choose File → Reload Notebook from Disk before you save" in said
    assert "NotImplementedError" in learner.text("double")
    assert "has its starting text already" in command("reset", "foo.double").output


def test_the_doctor_by_the_command(author, learner, command):
    assert command("doctor", "02_foo").exit_code == 0
    learner.write("double_check", "1")
    done = command("doctor", "02_foo")
    assert done.exit_code == 1 and "Run `course doctor 02_foo --fix` to repair it" in done.output
    done = command("doctor", "02_foo", "--fix")
    assert done.exit_code == 0 and "kept as assignments/02_foo/02_foo.old." in done.output
    assert learner.text("double_check") == 'check("foo.double", double)'


# --- any new version


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


@MANY
@given(VERSION, VERSION, KINDS, ACTIONS)
def test_nothing_that_the_learner_wrote_is_lost_or_left_out_unsaid(old, new, kinds, actions):
    base, theirs = version(old, kinds), version(new, kinds)
    mine, written = worked_in(base, actions)
    before = copy.deepcopy((mine, base, theirs))
    carried = carry(mine, base, theirs)
    assert (mine, base, theirs) == before
    nbformat.validate(carried.notebook)
    texts = "\n".join(each.source for each in carried.notebook.cells)
    for number, each in enumerate(mine.cells, 1):
        if each.source in written:
            assert each.source in texts or any(
                left.startswith(f"cell {number} ") for left in carried.left
            )
    graded = [each for each in theirs.cells if grade_id(each)]
    kept = [each for each in carried.notebook.cells if grade_id(each)]
    assert [grade_id(each) for each in kept] == [grade_id(each) for each in graded]
    for ours, there in zip(graded, kept, strict=True):
        assert there.metadata["nbgrader"] == ours.metadata["nbgrader"]
        assert there.cell_type == ours.cell_type
        if ours.metadata["nbgrader"]["locked"]:
            assert there.source == ours.source
    again = carry(carried.notebook, theirs, theirs)
    assert (again.repaired, again.left) == ((), [])


@MANY
@given(VERSION, VERSION, KINDS)
def test_an_untouched_copy_becomes_the_new_version(old, new, kinds):
    base, theirs = version(old, kinds), version(new, kinds)
    assert carry(base, base, theirs).notebook.cells == theirs.cells
