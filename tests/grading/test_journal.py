"""A run that is killed anywhere goes on where it was, and in the end nothing shows of it."""

import contextlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import killed
import psutil
import pytest
from courses import SEED, Class, filled_in, full_points, hidden, level, references

import course_grading
import course_notebooks
import course_utils
import exercise_kit
from course_grading.executor import JudgeProcess, JudgeProcessFault
from course_grading.job import GradingSettings
from course_grading.loader.handle import loader
from course_grading.results import Graded
from course_grading.run import digests
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.submissions import SubmittedFolder
from course_utils.errors import CourseError

ASSIGNMENT = "02_tensors"
FULL = full_points(ASSIGNMENT)
AGAIN = "between the two renames"  # where something was graded before
FIRST = [step for step in killed.STEPS if step != AGAIN]
COURSE = Path(sys.executable).parent / "course"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def handed_in(release, tmp_path_factory) -> Class:
    """A class of six, of all kinds: right, half right, empty, held, late, with a file beside."""
    course = release(tmp_path_factory.mktemp("handed_in"))
    right = references(ASSIGNMENT)
    course.hand_in("anna", right)
    course.hand_in("ben", dict(list(right.items())[: len(right) // 2]))
    course.hand_in("cleo", {})
    (course.hand_in("dora", right) / f"{ASSIGNMENT}.ipynb").write_text("{")
    course.hand_in("emil", right, stamp="2026-12-24 18:00:00 UTC")
    (course.hand_in("finn", right) / "notes.txt").write_text("notes")
    return course


@pytest.fixture(scope="module")
def undisturbed(handed_in, tmp_path_factory, one_executor) -> Class:
    course = handed_in.copied(tmp_path_factory.mktemp("undisturbed"))
    course.grade()
    return course


@pytest.fixture(scope="module")
def known(undisturbed) -> dict[str, Graded]:
    return {each.student: each for each in undisturbed.grade().graded}


@pytest.fixture(scope="module")
def run() -> Callable[..., int]:
    """A run in a process of its own that gets a signal at a step; returns the exit code."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["course_grading.run.command"])

    def start(
        course: Class,
        known: dict[str, Graded],
        step: str = "",
        nth: int = 1,
        number: int = signal.SIGKILL,
    ) -> int:
        arguments = (course.root, ASSIGNMENT, known, step, nth, number)
        process = context.Process(target=killed.run, args=arguments)
        process.start()
        process.join()
        return process.exitcode

    return start


@pytest.mark.parametrize(
    ("step", "nth"),
    [
        pytest.param(step, nth, marks=() if (step, nth) == (FIRST[-1], 4) else pytest.mark.more)
        for step in FIRST
        for nth in (1, 4)
    ],
)
def test_killed_at_a_step(step, nth, handed_in, undisturbed, known, run, tmp_path):
    course = handed_in.copied(tmp_path)
    assert run(course, known, step, nth) == -signal.SIGKILL
    assert run(course, known) == 0
    assert course.rows() == undisturbed.rows()
    assert course.autograded() == undisturbed.autograded()
    assert unfinished(course) == set()
    assert course.grade().unchanged == known.keys()


@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("while the notebook is written", signal.SIGINT),
        pytest.param("while the notebook is written", signal.SIGTERM, marks=pytest.mark.more),
        pytest.param("once it is published", signal.SIGINT, marks=pytest.mark.more),
        pytest.param("once it is published", signal.SIGTERM, marks=pytest.mark.more),
    ],
)
def test_stopped_at_a_step(step, number, handed_in, undisturbed, known, run, tmp_path):
    """What is being saved is saved to its end, and nothing after it is begun."""
    course = handed_in.copied(tmp_path)
    assert run(course, known, step, 2, number) == 1
    saved = {name.partition("/")[0] for name in course.autograded()}
    assert len(saved) == 2  # whichever were judged first
    assert sorted(course.rows(), key=str) == sorted(
        [row for student in saved for row in undisturbed.rows(student)], key=str
    )
    assert unfinished(course) == set()
    assert course.grade().unchanged == saved


@pytest.mark.more
@pytest.mark.parametrize("step", [AGAIN, "while the gradebook is written"])
def test_killed_while_it_grades_again(step, undisturbed, known, run, tmp_path):
    """The old folders and rows are there already."""
    course = undisturbed.copied(tmp_path)
    for student in ("anna", "ben"):
        (course.folder(student) / "more.txt").write_text("more")
    assert run(course, known, step) == -signal.SIGKILL
    assert run(course, known) == 0
    assert course.rows() == undisturbed.rows()
    notebooks = {
        name: content
        for name, content in course.autograded().items()
        if not name.endswith("more.txt")
    }
    assert notebooks == undisturbed.autograded()
    assert (course.folder("anna", "autograded") / "more.txt").read_text() == "more"


@pytest.mark.more
def test_killed_again_and_again(handed_in, undisturbed, known, run, tmp_path):
    """Each run comes one step further than the one before it."""
    course = handed_in.copied(tmp_path)
    for step in FIRST:
        assert run(course, known, step) == -signal.SIGKILL
    assert run(course, known) == 0
    assert course.rows() == undisturbed.rows()
    assert course.autograded() == undisturbed.autograded()


def unfinished(course: Class) -> set[Path]:
    """Files that a killed run left behind."""
    own = course.root / ".grading"
    return {
        path
        for name in ("unfinished", "replaced")
        for path in (own / name).rglob("*")
        if path.is_file()
    }


# From here on with real judges.


@pytest.fixture
def command(handed_in, tmp_path) -> Iterator[tuple[Class, subprocess.Popen]]:
    """`course grade` itself, once it has begun to grade."""
    course = handed_in.copied(tmp_path / "course")
    process = subprocess.Popen(
        [COURSE, "grade", ASSIGNMENT, "--workers=1", f"--minimum={level().name.lower()}"],
        cwd=course.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "Each submission runs in a sandbox" in line:
            break
    yield course, process
    process.kill()
    process.communicate()


@pytest.mark.more
def test_a_second_run_is_refused_and_told_who_is_at_it(command):
    course, process = command
    with pytest.raises(CourseError) as refused:
        course.grade()
    assert re.search(rf"\(process {process.pid}, since \d\d:\d\d", str(refused.value))
    assert "is being graded already, by " in str(refused.value)


@pytest.mark.more
def test_the_command_stopped_from_outside(command):
    """By whoever shuts the machine down, as by Ctrl-C."""
    course, process = command
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate()
    assert (process.returncode, said.splitlines()[-1]) == (130, "Stopped.")
    assert psutil.wait_procs(children, timeout=60)[1] == [] and unfinished(course) == set()


@pytest.mark.more
def test_the_command_killed_from_outside(command, undisturbed, one_executor):
    """Nothing of it lives on, and the next run does not know it was there."""
    course, process = command
    while not course.folder("ben", "autograded").exists():
        time.sleep(0.05)
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert alive == []
    report = course.grade()
    assert report.unchanged >= {"anna"}
    assert course.rows() == undisturbed.rows()
    assert course.autograded() == undisturbed.autograded()


@pytest.fixture(scope="module")
def judge_process() -> Iterator[JudgeProcess]:
    with contextlib.closing(JudgeProcess(GradingSettings(hidden(ASSIGNMENT), level()))) as found:
        yield found


def processes(judge_process: JudgeProcess) -> dict[str, psutil.Process]:
    judge = psutil.Process(judge_process.pid)
    (zygote,) = judge.children()
    return {"judge": judge, "zygote": zygote}


def submission(
    handed_in: Class, tmp_path: Path, before: str
) -> tuple[SubmittedFolder, ReleasedAssignment]:
    """A right one, in which a cell writes a mark and waits before the third answer."""
    course = handed_in.copied(tmp_path / "course")
    notebook = filled_in(ASSIGNMENT, references(ASSIGNMENT))
    at = next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == list(FULL)[2])
    notebook["cells"].insert(
        at,
        {
            "cell_type": "code",
            "id": "waits",
            "metadata": {},
            "outputs": [],
            "source": before,
            "execution_count": None,
        },
    )
    folder = course.hand_in("gwen", {}, notebook=notebook)
    return SubmittedFolder("gwen", folder), ReleasedAssignment.of(
        NbgraderCourse.open(course.root), ASSIGNMENT
    )


@pytest.mark.more
@pytest.mark.parametrize("victim", ["judge", "zygote", "submission"])
def test_a_process_killed_in_the_middle(victim, judge_process, handed_in, tmp_path):
    """Its work is done once more; nothing of it is held, and nothing is a zero."""
    found, released = submission(handed_in, tmp_path, "import time\n\ntime.sleep(3)")
    pids = {name: process.pid for name, process in processes(judge_process).items()}
    victims: list[int] = []

    def kill() -> None:
        zygote = psutil.Process(pids["zygote"])
        while not (children := zygote.children()):
            time.sleep(0.02)
        time.sleep(1)
        victims.append(children[0].pid if victim == "submission" else pids[victim])
        os.kill(victims[0], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    graded = judge_process.grade(found.prepare(released).job)
    thread.join()
    assert victims and not psutil.pid_exists(victims[0])
    assert {each.exercise.partition(".")[2]: each.points for each in graded.verdicts} == FULL


@pytest.mark.more
def test_a_submission_that_ends_the_grader_each_time_is_held(judge_process, handed_in, tmp_path):
    found, released = submission(handed_in, tmp_path, "import time\n\ntime.sleep(3)")
    job = found.prepare(released).job
    done = threading.Event()

    def kill() -> None:
        last = None
        while not done.is_set():
            with_children = processes_or_none(judge_process)
            if (
                with_children
                and with_children["judge"].pid != last
                and with_children["zygote"].children()
            ):
                last = with_children["judge"].pid
                os.kill(last, signal.SIGKILL)
            time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    graded = judge_process.grade(job)
    done.set()
    thread.join()
    assert {each.points for each in graded.verdicts} == {None}
    assert {each.why for each in graded.verdicts} == {
        "the grader crashed while it graded this submission"
    }
    again = judge_process.grade(job)
    assert again.points == sum(FULL.values())


def processes_or_none(judge_process: JudgeProcess) -> dict[str, psutil.Process] | None:
    try:
        return processes(judge_process)
    except (psutil.Error, ValueError):
        return None


@pytest.mark.more
def test_a_loader_that_ends_is_started_again(judge_process, handed_in, tmp_path):
    """Judges that are there go on without it; the next one brings a new one."""
    found, released = submission(handed_in, tmp_path, "pass")
    job = found.prepare(released).job
    loader()._process.kill()
    assert judge_process.grade(job).points == sum(FULL.values())
    psutil.Process(judge_process.pid).kill()
    assert judge_process.grade(job).points == sum(FULL.values())


def test_a_station_that_cannot_start_says_why(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(JudgeProcessFault, match="The grader could not start: "):
        JudgeProcess(GradingSettings('{"no.exercise": []}', level()))


@pytest.mark.more
def test_the_journal_of_another_version(undisturbed, known, run, tmp_path):
    """What it cannot read is graded anew."""
    course = undisturbed.copied(tmp_path)
    file = course.root / ".grading" / "journal.sqlite"
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as journal:
        journal.execute("UPDATE entries SET graded = ?", (json.dumps({"points": 3}),))
    assert run(course, known) == 0
    assert course.rows() == undisturbed.rows()
    file.write_text("no database at all, but a text")
    with pytest.raises(CourseError, match=r"journal.sqlite cannot be used .* delete it"):
        course.grade()


@pytest.mark.parametrize(
    ("owner", "part"),
    [
        (exercise_kit, "engine.py"),
        (exercise_kit, "words.md"),
        (course_utils, "checking/world.py"),
        (course_notebooks, "rebuild.py"),
        (course_utils, "program/observer.py"),
        (course_utils, "experiments/torch_forks.py"),
        (course_grading, "judge/verdicts.py"),
        (course_grading, "worker/session.py"),
        (course_grading, "run/course.py"),
        (course_grading, "nbgrader_plugins.py"),
    ],
)
def test_a_change_to_what_decides_is_noticed(owner, part, handed_in, tmp_path, monkeypatch):
    released = ReleasedAssignment.of(NbgraderCourse.open(handed_in.root), ASSIGNMENT)
    package = tmp_path / owner.__name__
    shutil.copytree(Path(owner.__file__).parent, package)
    monkeypatch.setattr(owner, "__file__", str(package / "__init__.py"))
    before = digests.grading_digest(released, SEED)
    assert digests.grading_digest(released, SEED) == before
    with (package / part).open("a") as file:
        file.write("# changed\n")
    assert digests.grading_digest(released, SEED) != before
