"""The way in: the path and what comes next, the start page's data, what every kernel has."""

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from a_course import LESSON, LESSON_FILE, Author, Learner

from course_utils.checking import exercises, progress
from course_utils.checking.progress import (
    Progress,
    Share,
    coming,
    details,
    lines,
    milestone,
    progress_of,
)
from course_utils.checking.questions import Quiz, questions_file, read_questions
from course_utils.checking.record import LearnerRecord
from course_utils.errors import CourseError
from course_utils.manifest import DroppedExercise, load_manifest, repository_root
from course_workspace import jupyter, machine
from course_workspace.deliver import prepare, start_here
from course_workspace.files import existing_workspace
from course_workspace.start import news, start_page

ROOT = repository_root()
COURSE = load_manifest()
FIRST, SECOND = COURSE.assignments[:2]


@pytest.fixture
def kept(tmp_path) -> LearnerRecord:
    """A learner's record, in a workspace that has the first lesson and its assignment."""
    for file in (
        f"lessons/{COURSE.lessons[0].notebook}.ipynb",
        f"assignments/{FIRST.name}/{FIRST.name}.ipynb",
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    return LearnerRecord(tmp_path)


def passed(kept: LearnerRecord, *assignments) -> None:
    for assignment in assignments:
        for exercise in assignment.exercises:
            kept.add("check", exercise.name, outcome="Passed")


def next_of(path: Progress) -> tuple[str, str | None]:
    assert path.next is not None
    exercise = path.next.exercise
    return path.next.state.lesson.number, exercise and exercise.name


# --- the path


def test_a_new_learner_begins_with_the_first_lesson(kept):
    path = progress_of(kept)
    assert next_of(path) == ("01", None)
    assert {state.standing for state in path.lessons} == {"new"}
    assert coming(path).startswith("lesson 01, “Know your machine” (about")


def test_questions_count_for_their_lesson_and_the_last_ones_end_it(kept):
    quizzes = [
        key
        for key, question in read_questions(questions_file("02")).items()
        if isinstance(question, Quiz)
    ]
    for key in quizzes:
        kept.add("quiz", key, chosen="", right=False)
    kept.add("quiz", quizzes[0], chosen="", right=True)
    kept.add("predict", "02.nothing-that-exists", chosen="")
    state = progress_of(kept).lessons[1]
    assert (state.right, state.standing) == (Share(1, len(quizzes)), "begun")
    assert state.predicted.done == 0 and state.read
    assert next_of(progress_of(kept)) == ("02", SECOND.exercises[0].name)


def test_a_lesson_that_is_not_read_to_its_end_comes_before_its_exercises(kept):
    kept.add("quiz", "02.before.device", chosen="", right=True)
    assert next_of(progress_of(kept)) == ("02", None)
    kept.add("check", SECOND.exercises[1].name, outcome="NotAttempted")  # it has begun with them
    assert next_of(progress_of(kept)) == ("02", SECOND.exercises[0].name)


def test_tasks_inside_a_lesson_count_and_lead_to_its_assignment(kept, tmp_path):
    """The first wins: in progress, in the bar, and in what comes next."""
    lesson, (first, last) = COURSE.lessons[0], COURSE.lessons[0].tasks
    kept.add("check", first.name, outcome="Failed")
    assert progress_of(kept).lessons[0].standing == "begun"
    kept.add("check", first.name, outcome="Passed")
    assert f"read on; “{last.title}”" in milestone(first.name, kept)
    assert start_page(ROOT, tmp_path)["next"]["label"].startswith("Continue lesson 01")
    kept.add("quiz", "01.before.tensor", chosen="", right=True)
    kept.add("check", last.name, outcome="Passed")
    assert milestone(last.name, kept).endswith(f"then assignment 01: {FIRST.title}.")
    page, said = start_page(ROOT, tmp_path), dict(lines(progress_of(kept)))
    tasks, exercises = sum(len(each.tasks) for each in COURSE.lessons), len(COURSE.exercises)
    assert page["passed"] == {"done": 2, "of": tasks + exercises}
    assert page["said"].startswith(
        f"2 of {tasks} tasks and 0 of {exercises} exercises passed, 0 of"
    )
    assert page["lessons"][0]["said"] == (
        f"{lesson.time}. 2 of 2 tasks passed, 0 of 2 predictions made, 1 of 2 questions right."
    )
    assert page["next"]["label"] == f"Begin assignment 01: {FIRST.title}"
    assert page["next"]["file"].endswith("01_machine.ipynb") and page["next"]["cell"] is None
    assert said["Next:"].startswith(
        f"assignment 01: {FIRST.title} ({len(FIRST.exercises)} exercises"
    )
    listed = details(progress_of(kept), [COURSE.find("01")])
    assert (f"  ✓ {last.name}:", f"{last.title} (in the lesson)") in listed


@pytest.mark.parametrize("task", [task for each in COURSE.lessons for task in each.tasks])
def test_the_last_task_of_any_lesson_leads_to_its_assignment(kept, task):
    lesson = next(each for each in COURSE.lessons if task in each.tasks)
    for each in lesson.tasks:
        kept.add("check", each.name, outcome="Passed")
    path = progress_of(kept)
    assert path.next.state.lesson == lesson and path.next.exercise is not None
    assert "assignment" in milestone(task.name, kept)


def test_what_passed_is_kept_where_the_course_has_dropped_it(kept, monkeypatch):
    dropped = tuple(DroppedExercise(f"tensors.{name}", 7) for name in ("one", "two"))
    newer = replace(COURSE, dropped=dropped)
    monkeypatch.setattr(progress, "load_manifest", lambda: newer)
    before = progress_of(kept)
    kept.add("check", "tensors.two", outcome="Passed")
    after, said = progress_of(kept), dict(lines(progress_of(kept)))
    assert (after.passed.done, after.points.done) == (1, 7)
    assert after.points.of - before.points.of == 7
    assert said["Kept from an earlier version:"] == "tensors.two."


def test_what_passed_under_a_former_name_has_passed(kept):
    kept.add("check", "machine.mend_spread", outcome="Passed")
    assert progress_of(kept).lessons[0].passed.done == 1
    assert exercises.exercise("machine.mend_spread").name == "machine.fix_spread"


def test_what_passed_once_stays_passed(kept):
    name = FIRST.exercises[0].name
    kept.add("check", name, outcome="Passed")
    kept.add("check", name, outcome="Failed")
    state = progress_of(kept).lessons[0]
    assert (state.passed.done, state.points.done) == (1, FIRST.exercises[0].points)


def test_one_goes_on_from_where_one_was_and_then_to_what_was_left_behind(kept):
    last = COURSE.assignments[-1]
    kept.add("check", last.exercises[0].name, outcome="Failed")
    assert next_of(progress_of(kept)) == (last.lesson, last.exercises[0].name)
    passed(kept, last)
    assert next_of(progress_of(kept)) == ("01", None)


def test_the_lines_name_every_lesson_and_what_comes_next(kept):
    passed(kept, FIRST)
    said = [f"{lead} {text}" for lead, text in lines(progress_of(kept))]
    assert len(said) == len(COURSE.lessons) + 2
    assert said[1].startswith(f"✓ 01 Know your machine: {len(FIRST.exercises)} of")
    assert said[2].startswith("○ 02 ") and said[2].endswith(f"{SECOND.points} points.")
    time = COURSE.lessons[1].time
    assert said[-1] == f"Next: lesson 02, “Tensors on devices” (about {time})."


def test_a_word_when_an_assignment_is_done_and_when_the_course_is(kept):
    first, *others = FIRST.exercises
    for exercise in others:
        kept.add("check", exercise.name, outcome="Passed")
    assert milestone(others[0].name, kept) == ""
    kept.add("check", first.name, outcome="Passed")
    said = milestone(first.name, kept)
    assert said.startswith(f"All {len(FIRST.exercises)} exercises of `{FIRST.name}` are passed")
    passed(kept, *COURSE.assignments)
    assert "You have solved every exercise of the course" in milestone(first.name, kept)
    assert progress_of(kept).next is None


@pytest.mark.slow
def test_where_a_learner_is_is_told_without_torch(tmp_path):
    """At once, then: in `course progress`, before JupyterLab, and in its server."""
    script = (
        "import sys; from course_workspace import jupyter, server;"
        "print(sorted({'torch', 'nbgrader', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


# --- the start page


def test_the_page_has_every_lesson_and_exercise_with_its_file(kept, tmp_path):
    page = start_page(ROOT, tmp_path)
    assert json.loads(json.dumps(page)) is not None
    assert [lesson["number"] for lesson in page["lessons"]] == [
        lesson.number for lesson in COURSE.lessons
    ]
    first, second = page["lessons"][:2]
    assert (tmp_path / first["file"]).is_file() and second["file"] is None
    exercise = first["assignment"]["exercises"][0]
    assert exercise["cell"] == f"{FIRST.exercises[0].short}_task"
    assert (tmp_path / exercise["file"]).is_file()
    assert page["next"]["label"] == "Begin lesson 01: Know your machine"
    assert {each["title"] for each in page["pages"]} >= {"Glossary"}


def test_the_page_says_when_the_course_is_done(kept, tmp_path):
    passed(kept, *COURSE.assignments)
    page = start_page(ROOT, tmp_path)
    assert page["next"] is None and page["finished"].startswith("You have solved every exercise")
    assert page["passed"]["done"] == len(COURSE.exercises)


@pytest.mark.slow
def test_a_new_version_beside_a_file_is_news(tmp_path):
    author, learner = Author(tmp_path / "course"), Learner(tmp_path / "workspace")
    prepare(author.root, learner.workspace)
    assert news(learner.workspace) == []
    learner.write("two", "y = 2  # mine", LESSON_FILE)
    author.lesson(LESSON.replace("x = 1", "x = 10"))
    prepare(author.root, learner.workspace)
    (sentence,) = news(learner.workspace)
    assert sentence.startswith("Lesson 02, Foo has a new version: 02_foo_lesson.new.ipynb")


def test_start_here_leads_to_every_lesson_and_does_not_begin_with_a_command():
    text = start_here(ROOT)
    for lesson in COURSE.lessons:
        assert f"[{lesson.title}](lessons/{lesson.notebook}.ipynb)" in text
    assert "course lab" not in text and "$" not in text


# --- the start


@pytest.mark.parametrize(
    ("names", "torch", "said"),
    [
        ([], "2.13.0", "none found, so the lessons use virtual ones"),
        (["A", "B"], "2.13.0", "1 × A, 1 × B. Your program runs there. The servers of the"),
        (
            ["A"] * 4,
            "2.13.0+cpu",
            "4 × A. This PyTorch is the build for CPUs, so the lessons use v",
        ),
    ],
)
def test_the_gpus_are_told(monkeypatch, names, torch, said):
    monkeypatch.setattr(machine, "real_gpus", lambda: names)
    monkeypatch.setattr(machine.importlib.metadata, "version", lambda name: torch)
    assert dict(machine.machine())["GPUs"].startswith(said)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EACCES, "Make .* writable for you"),
    ],
)
def test_a_workspace_that_cannot_be_written_is_told_before_jupyter_starts(
    tmp_path, monkeypatch, code, sentence
):
    def refuse(*_, **__):
        raise (
            OSError(code, os.strerror(code))
            if code != errno.EACCES
            else PermissionError(code, os.strerror(code))
        )

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(CourseError, match=sentence):
        jupyter._empty_log(tmp_path)


def test_a_workspace_that_is_not_there_has_no_progress(tmp_path):
    with pytest.raises(CourseError, match=r"There is no workspace in .*nowhere\. Run `make lab`"):
        existing_workspace(ROOT, tmp_path / "nowhere")


# --- the kernel

SHELL = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
shell.extension_manager.load_extension("course_utils.checking.ipython_extension")
for cell in sys.argv[1:]:
    print(">>>", cell)
    shell.run_cell(cell, store_history=True)
"""
RESTARTED = "Run the cells above again: Run > Run All Above Selected Cell."


def in_a_shell(folder: Path, *cells: str) -> list[str]:
    """What each cell shows in an IPython that was just started in `folder`."""
    done = subprocess.run(
        [sys.executable, "-c", SHELL, *cells],
        cwd=folder,
        text=True,
        capture_output=True,
        env={**os.environ, "IPYTHONDIR": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return [part.partition("\n")[2] for part in done.stdout.split(">>> ")[1:]]


@pytest.mark.slow
def test_after_a_restart_check_says_what_to_do_and_progress_is_there(tmp_path):
    (tmp_path / ".course").mkdir()
    check = 'check("tensors.move_batch", move_batch)'
    checked, own, told, _, checked_again, own_again = in_a_shell(
        tmp_path,
        check,
        "torch.ones(2)",
        "progress()",
        "from course_utils import check",
        check,
        "torch.ones(2)",
    )
    assert checked.strip().endswith(RESTARTED) and "Traceback" not in checked
    assert "'torch' is not defined" in own and own.strip().endswith(RESTARTED)
    assert "0 of" in told and "Next: lesson 01" in told
    assert "`move_batch` does not exist yet" in checked_again
    assert "'torch' is not defined" in own_again and RESTARTED not in own_again


@pytest.mark.slow
def test_outside_of_a_workspace_nothing_is_changed(tmp_path):
    (shown,) = in_a_shell(tmp_path, "progress()")
    assert "name 'progress' is not defined" in shown and RESTARTED not in shown


def test_what_is_installed_for_kernels_and_servers_can_be_loaded():
    kernels = json.loads(
        (ROOT / "course_utils/checking/ipython_config/ipython_kernel_config.json").read_text()
    )
    for name in kernels["InteractiveShellApp"]["extensions"]:
        assert callable(import_module(name).load_ipython_extension)
    servers = json.loads(
        (
            ROOT / "packages/course_workspace/jupyter_config/jupyter_server_config.d"
            "/on_the_right_device.json"
        ).read_text()
    )
    for name in servers["ServerApp"]["jpserver_extensions"]:
        assert callable(import_module(name)._load_jupyter_server_extension)
