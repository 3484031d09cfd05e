"""An honest class on a computer that is held to a fifth, and to a twentieth, of one core."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest
from courses import ASSIGNMENTS, ROOT, due, hidden, job, level, references

from course_grading.executor import JudgeProcess
from course_grading.job import GradingSettings, Job, TimeLimits
from course_grading.judge.slowness import SLOW, patience_for, slowness
from course_grading.results import Graded
from course_utils.checking.exercises import place_of
from exercise_kit.corpus import known_answers

CGROUPS = Path("/sys/fs/cgroup")
PERIOD = 100_000  # microseconds

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(1800)]


@contextlib.contextmanager
def held_to(part: float, pids: Sequence[int]) -> Iterator[None]:
    """Hold processes, and those that they start, to a part of one core together."""
    first = CGROUPS / "cpu" if (CGROUPS / "cpu").is_dir() else CGROUPS
    group = first / f"course-test-{os.getpid()}"
    quota = int(part * PERIOD)
    try:
        group.mkdir()
        if first == CGROUPS:
            (group / "cpu.max").write_text(f"{quota} {PERIOD}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        for pid in pids:
            (group / "cgroup.procs").write_text(str(pid))
    except OSError as error:
        remove(group, first)
        pytest.skip(f"no control group for the processor can be made here ({error.strerror})")
    try:
        yield
    finally:
        remove(group, first)


def remove(group: Path, first: Path) -> None:
    while group.is_dir():
        with contextlib.suppress(OSError):
            for pid in (group / "cgroup.procs").read_text().split():
                with contextlib.suppress(OSError):
                    (first / "cgroup.procs").write_text(pid)
            group.rmdir()
        time.sleep(0.1)


def family(pid: int) -> list[int]:
    return [pid, *(each.pid for each in psutil.Process(pid).children(recursive=True))]


def classmates(assignment: str, most: int) -> Iterator[Job]:
    """Right answers of several kinds, at most `most` of them."""
    yield job("reference", assignment, references(assignment, parts=True))
    accepted = {
        each.short: known_answers(place_of(ROOT, each.name), "accepted")
        for each in ASSIGNMENTS[assignment].exercises
    }
    for number in range(most - 1):
        yield job(
            f"accepted{number}",
            assignment,
            {short: answers[number % len(answers)].source for short, answers in accepted.items()},
        )


@pytest.mark.parametrize(
    ("assignment", "part", "most"),
    [
        ("05_visible", 1 / 5, 1),
        ("02_tensors", 1 / 20, 1),
        *(
            pytest.param(*others, marks=pytest.mark.full)
            for others in (
                ("02_tensors", 1 / 5, 3),
                ("07_parallel", 1 / 5, 2),
                ("10_saving", 1 / 5, 2),
                ("13_capstone", 1 / 5, 1),
            )
        ),
    ],
)
def test_every_grade_is_right(assignment, part, most):
    with (
        contextlib.closing(
            JudgeProcess(GradingSettings(hidden(assignment), level()))
        ) as judge_process,
        held_to(part, family(judge_process.pid)),
    ):
        for each in classmates(assignment, most):
            graded = judge_process.grade(each)
            assert graded.points == graded.max_points, [
                (verdict.exercise, verdict.text, verdict.why) for verdict in graded.verdicts
            ]


SLEEPS = """

import time

right, slept = load_partial, []


def load_partial(*arguments):
    if not slept:
        time.sleep(7)
        slept.append(True)
    return right(*arguments)
"""


def test_an_answer_that_waits_is_stopped_unless_the_computer_is_slow():
    """It has five seconds here, and on a slow computer as much more as that one is slow."""
    answers = references("10_saving")
    waiting = job(
        "sleeps", "10_saving", answers | {"load_partial": answers["load_partial"] + SLEEPS}
    )
    times = TimeLimits(patience=1 / 10)
    settings = GradingSettings(hidden("10_saving"), level(), times=times)
    with contextlib.closing(JudgeProcess(settings)) as judge_process:
        kind = came_of_it(judge_process.grade(waiting))
        # One that is slow by itself waits longer, so that it passes, or holds it.
        assert kind == "timed-out" or (kind in ("held", "passed") and slowness() > SLOW / 2)
        with held_to(1 / 5, family(judge_process.pid)):
            assert came_of_it(judge_process.grade(waiting)) == "passed"


def came_of_it(graded: Graded) -> str:
    (found,) = (each for each in graded.verdicts if each.exercise == "saving.load_partial")
    others = [each for each in graded.verdicts if each is not found]
    assert [each.points for each in others] == [due(each) for each in others]
    return found.kind


def test_slowness_is_measured():
    """In a process that is held to a fifth of a core it is five and more."""
    code = (
        "import sys; from course_grading.judge.slowness import slowness; "
        "sys.stdin.readline(); print(slowness())"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        subprocess.Popen([sys.executable, "-c", code], **pipes) as process,
        held_to(1 / 5, [process.pid]),
    ):
        said, _ = process.communicate("go\n")
    assert float(said) > 4
    assert slowness() >= 1
    assert patience_for(1.5) == 1 and patience_for(8) == 8 and patience_for(1000) == 20
