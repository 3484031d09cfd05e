"""The engine: what comes of right, wrong, missing, raising, endless and hostile answers."""

import os
import random
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy
import pytest
import torch
from toy import TOY, asked, look, runner

import virtual_cuda
from exercise_kit.contract import Observer
from exercise_kit.corpus import load_answer
from exercise_kit.engine import examine
from exercise_kit.junk import junk_answers
from exercise_kit.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Passed,
    Raised,
    TimedOut,
)
from exercise_kit.runner import Runner
from tests.fresh import fresh

BY_HEART = {case.data["x"]: 2 * case.data["x"] for case in TOY.public_cases}


def test_a_right_answer_passes_and_at_grading_with_other_values_too():
    assert look(lambda x: x + x).outcome == Passed(cases=3)
    assert look(lambda x: x + x, "seed").outcome == Passed(cases=3, drawn=1)


def test_a_wrong_answer_meets_its_finding_with_the_case_it_failed_in():
    report = look(lambda x: x * x)
    assert isinstance(report.outcome, Failed)
    finding = report.outcome.finding
    assert (finding.name, finding.seen, finding.expected) == ("squared", "9", "6")
    assert (report.place.number, report.place.of, report.place.drawn) == (1, 3, False)


def test_an_answer_fitted_to_the_public_cases_fails_with_other_values():
    report = look(BY_HEART.get, "seed")
    assert look(BY_HEART.get).passed
    assert report.place.drawn and report.place.title == "a large number"


def test_hidden_cases_depend_on_the_seed_and_leave_out_what_is_fixed():
    drawn = TOY.hidden_cases("a")
    assert drawn == TOY.hidden_cases("a")
    assert drawn != TOY.hidden_cases("b")
    assert [number for number, _ in drawn] == [3]


def test_what_is_kept_between_calls_is_named():
    """A copy of the function that was never called gets the case right."""
    source = "seen = []\n\ndef double(x):\n    seen.append(x)\n    return 2 * seen[0]\n"
    finding = look(load_answer(source, "double", "<kept>")).outcome.finding
    assert (finding.name, finding.seen, finding.expected) == ("passes-alone", "6", "0")
    always = "def double(x):\n    return 6\n"
    assert look(load_answer(always, "double", "<always>")).outcome.finding.name == "other-result"


def test_what_differs_from_one_time_to_the_next_is_chance():
    right = runner(lambda x: 2 * x)
    wrong = runner(lambda x: 2 * x + 1)
    times = iter([right, wrong, right])
    report = examine(
        TOY.name, TOY.judge, lambda case: next(times)(case), TOY.public_cases, anew=right
    )
    assert report.outcome.finding.name == "by-chance"


def stub(x):
    # YOUR CODE HERE
    raise NotImplementedError()


def raises(x):
    return {}[x]


def calls_what_is_not_there(x):
    raise NotImplementedError("\"addmm_cuda\" not implemented for 'Long'")


def test_the_stub_is_not_attempted():
    assert look(stub).outcome == NotAttempted()


def test_an_operator_that_torch_has_not_is_an_attempt():
    report = look(calls_what_is_not_there)
    assert isinstance(report.outcome, Raised)
    assert report.outcome.raised.type == "NotImplementedError"


def test_an_exception_is_the_learners_own_with_its_line():
    report = look(raises)
    assert isinstance(report.outcome, Raised)
    assert report.outcome.raised.type == "KeyError"
    assert "return {}[x]" in report.outcome.raised.where


def test_a_known_exception_meets_its_finding():
    assert look(lambda x: "a" * "b").outcome.finding.name == "text"


def test_an_endless_loop_is_stopped_even_if_it_catches_exceptions():
    def endless(x):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    assert look(endless).outcome == TimedOut(0.3)


def test_an_endless_loop_with_a_bare_except_is_stopped():
    def stubborn(x):
        while True:
            try:
                while True:
                    pass
            except:  # noqa: E722
                pass

    assert look(stubborn).outcome == TimedOut(0.3)
    assert sys.gettrace() is None


@pytest.mark.slow
def test_waiting_costs_no_processor_time(monkeypatch):
    monkeypatch.setattr("exercise_kit.limits._AT_LEAST", 0)
    monkeypatch.setattr("exercise_kit.limits._PATIENCE", 10)
    assert look(lambda x: (time.sleep(1), 2 * x)[1]).passed  # the limit is 0.3 s, of computing
    outcome = look(lambda x: threading.Event().wait()).outcome
    assert outcome == TimedOut(3.0, waiting=True)


def test_an_alarm_of_its_own_stops_nothing():
    def alarming(x):
        os.kill(os.getpid(), signal.SIGALRM)
        return 2 * x

    assert look(alarming).passed


def test_an_answer_that_ignores_the_alarm_is_stopped_all_the_same(monkeypatch):
    monkeypatch.setattr("exercise_kit.limits._AT_LEAST", 0)
    monkeypatch.setattr("exercise_kit.limits._PATIENCE", 1)

    def deaf(x):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            pass

    before = signal.getsignal(signal.SIGALRM)
    assert isinstance(look(deaf).outcome, TimedOut)
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_time_out_while_grading_is_tried_again():
    put = []

    def slow_at_first(case):
        put.append(case)
        return TimedOut(0.3) if len(put) == 1 else runner(lambda x: 2 * x)(case)

    assert asked(slow_at_first, "seed").passed
    put.clear()
    assert isinstance(asked(slow_at_first).outcome, TimedOut)


def test_a_working_folder_that_is_gone_is_no_fault_of_the_check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "gone"
    folder.mkdir()

    assert look(lambda x: (os.chdir("/"), 2 * x)[1]).passed
    assert os.getcwd() == str(tmp_path)
    os.chdir(folder)
    folder.rmdir()
    assert look(lambda x: 2 * x).passed  # the notebook's own folder was deleted
    os.chdir(tmp_path)


def test_a_thread_that_is_left_behind_is_noticed():
    stop = threading.Event()
    loud = runner(lambda x: (threading.Thread(target=stop.wait).start(), 2 * x)[1])
    assert asked(loud).passed and loud.left_running
    stop.set()
    quiet = runner(lambda x: 2 * x)
    assert asked(quiet).passed and not quiet.left_running


IN_PARALLEL = """
import sys
sys.path.insert(0, {here!r})
import torch
from toy import asked, runner
import virtual_cuda

def double(x):
    model = torch.nn.DataParallel(torch.nn.Identity())
    return int(model(torch.full((4, 1), x, device="cuda")).sum()) // 2

with virtual_cuda.enabled(4):
    patient = runner(double, seconds=60)
    print(asked(patient).passed, patient.left_running)
"""


@pytest.mark.slow
def test_the_threads_of_data_parallel_are_not_the_answers():
    """In a process of its own: the thread of virtual replicas starts at their first use."""
    assert fresh(IN_PARALLEL.format(here=str(Path(__file__).parent))) == "True False\n"


@pytest.mark.parametrize("leave", [sys.exit, exit, lambda: (_ for _ in ()).throw(SystemExit)])
def test_leaving_python_counts_as_raising(leave):
    report = look(lambda x: leave())
    assert isinstance(report.outcome, Raised | Failed)


def test_an_interrupt_by_the_learner_passes_through():
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look(interrupted)


@pytest.mark.parametrize("answer", [None, 6, "double", [lambda x: 2 * x], torch.ones(1)])
def test_what_is_no_function_is_named(answer):
    assert look(answer).outcome.finding.name == "not-a-function"


@pytest.mark.parametrize("answer", [lambda: 1, lambda a, b: 1, lambda *, x: x])
def test_other_parameters_are_named(answer):
    assert look(answer).outcome.finding.name == "wrong-parameters"
    assert look(lambda a, b: 1).outcome.finding.seen == "a function of (a, b)"


def test_printing_and_warnings_are_collected_and_cut():
    def noisy(x):
        print("x" * 10_000)
        print("to stderr", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return 2 * x

    heard = runner(noisy)
    assert asked(heard).passed
    assert heard.printed.startswith("xxx") and "more characters" in heard.printed
    assert len(heard.printed) < 2100


def test_torch_is_as_it_was_afterwards():
    def careless(x):
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.set_default_device("meta")
        os.environ["CUDA_VISIBLE_DEVICES"] = "7"
        return 2 * x

    finding = look(careless).outcome.finding
    assert finding.name == "left-switched"
    assert "the default device: meta" in finding.seen and "gradients off" in finding.seen
    assert torch.get_default_dtype() == torch.float32
    assert torch.is_grad_enabled()
    assert torch.ones(1).device.type == "cpu"
    assert "CUDA_VISIBLE_DEVICES" not in os.environ


def test_random_numbers_go_on_afterwards():
    def seed(number):
        torch.manual_seed(number)
        random.seed(number)
        numpy.random.seed(number)

    def drawn():
        places = ("cpu", "cuda:1")
        return (
            [torch.rand(1, device=d).item() for d in places],
            random.random(),
            numpy.random.rand(),
        )

    def seeding(x):
        seed(1)
        return 2 * x

    with virtual_cuda.enabled(2):
        seed(7)
        expected = drawn()
        seed(7)
        assert look(seeding).passed
        assert drawn() == expected


def test_a_device_that_is_entered_and_never_left_is_left():
    def careless(x):
        torch.device("meta").__enter__()
        torch.device("meta").__enter__()
        return 2 * x

    assert look(careless).outcome.finding.name == "left-switched"
    assert torch.ones(1).device.type == "cpu"
    with torch.device("meta"):
        assert look(careless).outcome.finding.name == "left-switched"
        assert torch.ones(1).device.type == "meta"
    assert torch.ones(1).device.type == "cpu"


def test_what_is_replaced_in_torch_is_named_and_put_back():
    ours = torch.ones, torch.Tensor.to

    def vandal(x):
        torch.ones = torch.Tensor.to = print
        return 2 * x

    finding = look(vandal).outcome.finding
    assert finding.name == "torch-replaced" and finding.seen == "another torch.ones"
    assert (torch.ones, torch.Tensor.to) == ours


def test_an_answer_may_switch_virtual_gpus_on():
    virtual_cuda.disable()
    try:
        assert look(lambda x: (virtual_cuda.enable(), 2 * x)[1]).passed
        assert torch.ones(1, device="cuda:1").device.index == 1
    finally:
        virtual_cuda.disable()


@pytest.mark.parametrize("replacement", [print, None])
def test_what_hides_something_inherited_is_taken_away(replacement):
    def vandal(x):
        torch.Tensor.add = replacement
        return 2 * x

    assert look(vandal).outcome.finding.seen == "another torch.Tensor.add"
    assert torch.ones(1).add(1).item() == 2


def test_a_fault_of_the_check_is_nobodys_failure():
    class Broken(Observer):
        parameters = ("x",)

        def observe(self, answer, inputs):
            answer(inputs["x"])
            return {"result": object()}

    report = asked(Runner(Broken(), lambda x: 2 * x, TOY.world))
    assert isinstance(report.outcome, CouldNotGrade)


def test_an_exception_class_of_the_answers_own_is_known_as_such():
    class Secret(Exception):
        pass

    def tell(x):
        raise Secret(x)

    (case, *_) = TOY.public_cases
    assert not runner(tell)(case).known
    assert runner(raises)(case).known


def test_junk_is_refused():
    for label, answer in junk_answers(TOY.observer):
        assert not look(answer).passed, label
        assert not isinstance(look(answer).outcome, CouldNotGrade), label


def test_the_contract_cannot_be_half_filled():
    class Half(Observer):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Half()
