"""The engine: what comes of right, wrong, missing, raising, endless and hostile answers."""

import sys
import warnings

import pytest
import torch
from toy import Double, DoubleJudge

import virtual_cuda
from course_utils.authoring.junk import junk_answers
from course_utils.checking.contract import Observer
from course_utils.checking.engine import count_hidden, examine, hidden_cases, public_cases
from course_utils.checking.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Passed,
    Raised,
    Report,
    TimedOut,
)


def look(answer: object, seed: str | None = None) -> Report:
    return examine(Double(), DoubleJudge(), answer, seed)


def test_a_right_answer_passes_and_hidden_cases_wait_for_grading():
    assert look(lambda x: x + x).outcome == Passed(cases=2, waiting=3)
    assert look(lambda x: x + x, "seed").outcome == Passed(cases=5, waiting=0)


def test_a_wrong_answer_meets_its_finding_with_the_case_it_failed_in():
    report = look(lambda x: x * x)
    assert isinstance(report.outcome, Failed)
    assert report.outcome.finding.kind.name == "squared"
    assert (report.outcome.finding.seen, report.outcome.finding.expected) == ("9", "6")
    assert (report.place.number, report.place.of, report.place.hidden) == (1, 2, False)


def test_an_answer_fitted_to_the_public_cases_fails_a_hidden_one():
    report = look({3: 6, 0: 0}.get, "seed")
    assert look({3: 6, 0: 0}.get).passed
    assert report.place.hidden and report.place.description == "large numbers"


def test_hidden_cases_depend_on_the_seed_and_public_ones_do_not():
    judge = DoubleJudge()
    assert hidden_cases(judge, "a") != hidden_cases(judge, "b")
    assert hidden_cases(judge, "a") == hidden_cases(judge, "a")
    assert [case.data["x"] for case in public_cases(judge)] == [3, 0]
    assert count_hidden(judge) == 3


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
    assert look(lambda x: "a" * "b").outcome.finding.kind.name == "text"


def test_an_endless_loop_is_stopped_even_if_it_catches_exceptions():
    def endless(x):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    assert look(endless).outcome == TimedOut(0.3)


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
    assert look(answer).outcome.finding.kind.name == "not-a-function"


@pytest.mark.parametrize("answer", [lambda: 1, lambda a, b: 1, lambda *, x: x])
def test_other_parameters_are_named(answer):
    assert look(answer).outcome.finding.kind.name == "wrong-parameters"
    assert look(lambda a, b: 1).outcome.finding.seen == "a function of (a, b)"


def test_printing_and_warnings_are_collected_and_cut():
    def noisy(x):
        print("x" * 10_000)
        print("to stderr", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return 2 * x

    report = look(noisy)
    assert report.passed
    assert report.printed.startswith("xxx") and "more characters" in report.printed
    assert len(report.printed) < 2100


def test_what_hidden_cases_print_is_not_kept():
    report = look(lambda x: print(x) or (6 if x == 3 else 0), "seed")
    assert report.place.hidden
    assert report.printed == ""
    assert look(lambda x: print(x) or 2 * x, "seed").printed == "3\n0\n"


def test_torch_is_as_it_was_afterwards():
    def careless(x):
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.set_default_device("meta")
        return 2 * x

    assert look(careless).passed
    assert torch.get_default_dtype() == torch.float32
    assert torch.is_grad_enabled()
    assert torch.ones(1).device.type == "cpu"


def test_what_is_replaced_in_torch_is_named_and_put_back():
    ours = torch.ones, torch.Tensor.to

    def vandal(x):
        torch.ones = torch.Tensor.to = print
        return 2 * x

    finding = look(vandal).outcome.finding
    assert finding.kind.name == "torch-replaced" and finding.seen == "another `torch.ones`"
    assert (torch.ones, torch.Tensor.to) == ours


def test_an_answer_may_switch_virtual_gpus_on():
    virtual_cuda.disable()
    try:
        assert look(lambda x: (virtual_cuda.enable(), 2 * x)[1]).passed
        assert torch.ones(1, device="cuda:1").device.index == 1
    finally:
        virtual_cuda.disable()


def test_a_fault_of_the_check_is_nobodys_failure():
    class Broken(Double):
        def observe(self, answer, data):
            answer(data["x"])
            return {"result": object()}

    report = examine(Broken(), DoubleJudge(), lambda x: 2 * x)
    assert isinstance(report.outcome, CouldNotGrade)


def test_junk_is_refused():
    for label, answer in junk_answers(Double()):
        assert not look(answer).passed, label
        assert not isinstance(look(answer).outcome, CouldNotGrade), label


def test_the_contract_cannot_be_half_filled():
    class Half(Observer):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Half()
