"""An answer that ends its own process gets no points, and why; what may be ours is held."""

import contextlib
import dataclasses
import json

import pytest
from courses import (
    due,
    filled_in,
    full_points,
    hidden,
    job,
    level,
    references,
    released,
    released_assignment,
)

from course_grading import executor
from course_grading.executor import JudgeProcess
from course_grading.job import GradingSettings, Job, TimeLimits
from course_grading.judge.deaths import how_it_died
from course_grading.loader.handle import Loader
from course_grading.protocol import ProcessEnded, ProtocolError
from course_grading.report.run import RunReport
from course_grading.report.write import write_report
from course_grading.results import Graded
from course_grading.run.autograded import show_results
from course_grading.run.course import steps_of
from course_grading.run.gradebook import comments
from course_grading.sandbox import OUR_FAULT, Level, Limits
from course_notebooks.reading import parse_submission
from course_notebooks.rebuild import rebuild
from virtual_cuda_tool import __path__ as TOOL

ASSIGNMENT = "02_tensors"
FULL = full_points(ASSIGNMENT)
LIMITS = Limits(cpu_seconds=4, memory=700 << 20)
IMPATIENT = TimeLimits(patience=4 / 30, letting_go=4)

DEATHS = {
    "leaves": ("import os\n    os._exit(3)", "it ended Python with the exit code 3"),
    "computes in C": ("sum(range(10**12))", "it used more than 4 seconds of processor time"),
    "fills memory": (
        "import mmap\n    much = mmap.mmap(-1, 2 << 30)\n"
        "    for place in range(0, len(much), 4096):\n        much[place] = 1",
        "it used more memory than the limit of 700 MiB",
    ),
}
HELD = {
    "crashes": ("import os\n    os.kill(os.getpid(), 11)", "by SIGSEGV"),
    "aborts": ("import os\n    os.abort()", "by SIGABRT"),
    "is killed": ("import os\n    os.kill(os.getpid(), 9)", "by SIGKILL"),
    "waits": ("import os\n    os.kill(os.getpid(), 19)", "no reply within"),
}


@pytest.fixture(scope="module")
def graded() -> dict[str, Graded]:
    """By what its answer to the first exercise does."""
    settings = GradingSettings(hidden(ASSIGNMENT), level(), LIMITS)
    impatient = dataclasses.replace(settings, times=IMPATIENT)
    found = {}
    short = next(iter(FULL))
    with (
        contextlib.closing(JudgeProcess(settings)) as patient,
        contextlib.closing(JudgeProcess(impatient)) as other,
    ):
        for name, (body, _) in (DEATHS | HELD).items():
            judge_process = other if name == "waits" else patient
            answers = references(ASSIGNMENT)
            answers |= {short: f"def {short}(*arguments):\n    {body}\n"}
            notebook = parse_submission(json.dumps(filled_in(ASSIGNMENT, answers)).encode(), name)
            steps = steps_of(rebuild(released(ASSIGNMENT), notebook).notebook)
            found[name] = judge_process.grade(Job(name, ASSIGNMENT, steps))
    return found


@pytest.mark.slow
@pytest.mark.more
def test_its_own_doing_is_a_zero_and_all_else_is_held(graded):
    for name, (_, reason) in (DEATHS | HELD).items():
        if name == "fills memory" and level() < Level.FULL:
            continue  # nothing counts the memory of all its processes there
        verdict, *others = graded[name].verdicts
        assert verdict.points == (0 if name in DEATHS else None), verdict
        assert verdict.kind == ("died" if name in DEATHS else "held")
        assert reason in verdict.why and " MiB at most, " in verdict.why, verdict
        assert "s of processor time)" in verdict.why
        assert (reason in verdict.text) == (name in DEATHS)
        assert all(each.points == due(each) for each in others)


@pytest.mark.slow
@pytest.mark.more
def test_the_reason_is_read_in_report_and_formgrader(graded, tmp_path):
    run = RunReport(ASSIGNMENT, tuple(graded.values()))
    page, table = write_report(tmp_path, run)
    for name in graded:
        assert graded[name].verdicts[0].why in page.read_text()
        assert graded[name].verdicts[0].why in table.read_text()
    short = next(iter(FULL))
    assert comments(graded["leaves"], "")[short] == graded["leaves"].verdicts[0].why
    notebook = rebuild(released(ASSIGNMENT), released(ASSIGNMENT)).notebook
    show_results({ASSIGNMENT: notebook}, released_assignment(ASSIGNMENT), graded["crashes"])
    assert graded["crashes"].verdicts[0].why in json.dumps(notebook)


NO_CARD = """
import os
def start():
    if os.environ.get("VIRTUAL_CUDA"):
        {}
"""


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fails", "reason"),
    [
        ("raise OSError('no card today')", "OSError: no card today"),
        ("os.abort()", "ended before its first line"),
    ],
)
def test_what_fails_before_a_program_begins_is_held(fails, reason, tmp_path, monkeypatch):
    """A right part of train.py, where virtual GPUs cannot be had in the fork of a program."""
    package = tmp_path / "virtual_cuda_tool"  # found before ours, for this one module
    package.mkdir()
    package.joinpath("__init__.py").write_text(f"__path__ += {[*TOOL]}\n")
    package.joinpath("startup.py").write_text(NO_CARD.format(fails))
    cases = hidden(ASSIGNMENT)  # what is right in them takes programs that begin
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    part = "train_epoch"
    answers = {part: references(ASSIGNMENT, parts=True)[part]}
    with contextlib.closing(Loader()) as own:
        monkeypatch.setattr(executor, "loader", lambda: own)
        settings = GradingSettings(cases, level())
        with contextlib.closing(JudgeProcess(settings)) as judge_process:
            graded = judge_process.grade(job("right", ASSIGNMENT, answers))
    (verdict,) = (each for each in graded.verdicts if each.exercise.endswith(part))
    assert (verdict.kind, verdict.points) == ("held", None), verdict
    assert reason in verdict.why


ENDED = ProcessEnded("the process of the answer ended")
USED = {"peak": 300 << 20, "seconds": 1.25}


@pytest.mark.parametrize(
    ("account", "own", "reason"),
    [
        ({"status": 9, "oom_kill": 1}, True, "more memory than the limit of 2048 MiB"),
        ({"status": 9, "oom_kill": 0}, False, "by SIGKILL"),
        ({"status": 6, "max": 3}, True, "more than 128 processes and threads"),
        ({"status": 6, "max": 0}, False, "by SIGABRT"),
        ({"status": 25}, True, "a file of more than 256 MiB"),
        ({"status": 0}, True, "ended Python with the exit code 0"),
        ({"status": OUR_FAULT << 8}, False, "a fault of the grader"),
    ],
)
def test_a_death_is_told_by_its_account(account, own, reason):
    died = how_it_died(ENDED, {**account, **USED}, Limits())
    assert bool(died.own) == own
    assert died.reason.startswith(f"{ENDED}: ") and reason in died.reason
    assert died.reason.endswith("(300 MiB at most, 1.2 s of processor time)")


@pytest.mark.parametrize("status", [10**30, -1, 0x10000, 0x137F, 99, 127, True])
@pytest.mark.parametrize("much", [1, 10**400, float("inf"), float("nan"), -1])
@pytest.mark.parametrize("of", ["peak", "seconds"])
def test_an_account_that_no_process_can_have_ends_no_judge(status, much, of):
    died = how_it_died(ENDED, {"status": status, **USED, of: much}, Limits())
    assert died.reason.startswith(str(ENDED)) and len(died.reason) < 1_000


def test_without_an_account_nothing_is_the_answers_doing():
    assert how_it_died(ENDED, {}, Limits()).own == ""
    late = how_it_died(ProtocolError("no reply"), {"status": 9, "oom_kill": 1, **USED}, Limits())
    assert (late.own, late.reason) == ("", "no reply (300 MiB at most, 1.2 s of processor time)")
