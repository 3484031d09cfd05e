"""Which cases an answer meets, and what answers that failed share when they are checked again."""

import contextlib
import subprocess
import sys

import pytest
from courses import SEED, hidden, job, level, references

from course_grading.executor import JudgeProcess
from course_grading.job import Check, CodeCell, GradingSettings, Job, TimeLimits
from course_grading.judge import passes
from course_utils.checking.exercises import exercise
from exercise_kit.contract import Finding
from exercise_kit.limited import key_of
from exercise_kit.outcomes import Failed, NotAttempted, Passed, Report

ASSIGNMENT = "02_tensors"
FIRST, SECOND = "fix_mismatch", "move_batch"
NAME = "parallel.split_sizes"  # needs no GPU
STUB = passes.Raise("NotImplementedError", "", "")


class OneAnswer:
    """A worker with one answer. met: the cases that it met. fails: a case → its other result."""

    times = TimeLimits()

    def __init__(self, monkeypatch, fails):
        self.met, self._fails = [], fails
        monkeypatch.setattr(passes, "take_answer", lambda *_: 5.0)
        monkeypatch.setattr(passes, "send_request", lambda *_: {})
        monkeypatch.setattr(passes, "put_case", self._case)

    def _case(self, _pipe, case, _seconds, _patience, *, anew=False):
        if not anew:
            self.met.append(case)
        return None if anew else self._fails(case) or case.right

    def submission(self, _files):
        return contextlib.nullcontext()

    def look_for_processes(self):
        pass


@pytest.fixture
def report_of(monkeypatch):
    """The report of an answer in notebook order, the cases that it met, and those there are."""
    known = exercise(NAME)
    drawn = known.hidden_cases(SEED)
    case_lists = {"public": known.public_cases, "drawn": [case for _, case in drawn]}
    keys = [passes.judge_of(NAME), *case_lists["public"], *case_lists["drawn"]]
    monkeypatch.setattr(keys[0], "references", {key_of(case): {} for case in keys[1:]})

    def examined(fails):
        worker = OneAnswer(monkeypatch, fails(case_lists))
        check = Check(NAME, "split_sizes", 1)
        one = Job("student", ASSIGNMENT, (CodeCell("", "", check),))
        ((_, report),) = passes.check_in_order(one, worker, {NAME: drawn})
        return report, worker.met, case_lists

    return examined


def wrong_for(wrong):
    return lambda case: {**case.right, "result": "x"} if case == wrong else None


def test_a_right_answer_meets_each_case_once(report_of):
    report, met, cases = report_of(lambda _: lambda _: None)
    drawn, public = cases["drawn"], cases["public"]
    assert report.outcome == Passed(len(public), len(drawn))
    assert len(met) == len(public) and all(case in met for case in drawn)
    titles = {case.title for case in drawn}
    assert [case for case in met if case not in drawn] == [
        case for case in public if case.title not in titles
    ]


def test_a_wrong_answer_fails_at_the_case_that_it_gets_wrong(report_of):
    report, met, cases = report_of(lambda cases: wrong_for(cases["drawn"][-1]))
    assert isinstance(report.outcome, Failed) and met[-1] == cases["drawn"][-1]


def test_an_answer_is_a_stub_only_if_it_is_one_in_the_order_of_the_public_cases(report_of):
    """A stub is not checked again, so what it is must not depend on the order of hidden cases."""
    report, *_ = report_of(lambda _: lambda _: STUB)
    assert report.outcome == NotAttempted()
    report, *_ = report_of(
        lambda cases: (
            lambda case: STUB if case in cases["drawn"] else wrong_for(cases["public"][0])(case)
        )
    )
    assert isinstance(report.outcome, Failed) and report.place.number == 1


@pytest.mark.parametrize(("files", "number"), [({"data.csv": b""}, 2), ({}, 1)])
def test_answers_share_no_sandbox(files, number):
    """A file could be changed, and one answer has nothing to share. No worker is asked."""
    failed = Report(NAME, Failed(Finding("other-result", "", "")))
    reports = {Check(NAME, f"answer{n}", 1): failed for n in range(number)}
    one = Job("student", ASSIGNMENT, (), files=files)
    assert [*passes.check_in_forks(one, reports, None)] == []


@pytest.fixture(scope="module")
def texts():
    """Grades an answer for each of two exercises; returns the messages for both."""
    settings = GradingSettings(hidden(ASSIGNMENT), level())
    with contextlib.closing(JudgeProcess(settings)) as judge_process:

        def of(first, second):
            answers = {FIRST: _raising(FIRST, first), SECOND: _raising(SECOND, second)}
            given = references(ASSIGNMENT) | answers
            graded = judge_process.grade(job("student", ASSIGNMENT, given))
            return [
                verdict.text
                for verdict in graded.verdicts
                if verdict.exercise.partition(".")[2] in answers
            ]

        yield of


def _raising(name, body):
    return f"import builtins, os\ndef {name}(*arguments):\n    {body}\n"


PID = "raise ValueError(f'process {os.getpid()}')"
MARK = 'raise ValueError(f\'marked {hasattr(builtins, "mark")} {os.path.exists("mark")}\')'


@pytest.mark.slow
def test_answers_that_failed_share_a_sandbox_but_no_process(texts):
    first, second = texts(PID, PID)
    pids = [text.partition("process ")[2].partition("`")[0] for text in (first, second)]
    assert pids[0] != pids[1], "two processes of one sandbox"
    assert all(pid.isdecimal() for pid in pids), pids


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        "builtins.mark = 1; raise ValueError",
        "open('mark', 'w').close(); raise ValueError",
        "builtins.mark = 1; os._exit(3)",
        "builtins.mark = 1; os.fork() or __import__('time').sleep(60); raise ValueError",
    ],
)
def test_an_answer_finds_nothing_of_the_one_before(first, texts):
    *_, second = texts(first, MARK)
    assert "marked False False" in second


@pytest.mark.slow
def test_the_coordinator_starts_without_torch():
    """Only the loader, the judges and the workers use it; it takes seconds of every run."""
    script = (
        "import sys; from course_grading.run import command;"
        "print(sorted({'torch', 'numpy', 'virtual_cuda'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
