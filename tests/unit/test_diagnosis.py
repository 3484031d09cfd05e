"""Diagnoses: a claim about a run of one's own number, and the change that is run."""

import gc

import pytest
import torch

from course_utils.checking import practice, record, runs
from course_utils.checking.exercises import exercise
from course_utils.errors import CourseError
from exercise_kit.check import check
from exercise_kit.diagnosis import DiagnosisObserver, Program
from exercise_kit.outcomes import outcome_name
from exercise_kit.programs.launcher import LaunchFault

pytestmark = pytest.mark.usefixtures("four_gpus")
NAME = "toolbox.what_grows"
RIGHT = {"run": 2, "line": 13, "cause": "graph", "change": "total = total + loss.item()"}


def met(**changes):
    return outcome_name(check(exercise(NAME), lambda: RIGHT | changes).report.outcome)


def test_a_change_takes_the_place_of_a_line_with_its_indentation():
    program = Program(["for x in y:", "    a = b", "c = d"], 2, "it", {})
    assert program.changed(2, "  a = c  ") == "for x in y:\n    a = c\nc = d\n"
    assert program.numbered().splitlines()[1] == "  2      a = b"


@pytest.mark.slow
def test_each_part_of_a_claim_counts():
    assert met() == "passed"
    assert met(line=9) == "allocated-there"
    assert met(cause="keys") == "other-cause"
    assert met(change="total = total + loss.clone()") == "other-graph"
    assert met(change="total = 0.0") == "other-total"
    assert met(change="raise SystemExit") == met(change="1 / 0") == "change-raises"
    assert met(run=3) in ("keeps-little", "other-line")
    assert met(run=True) == met(line="13") == met(change=None) == "other-form"
    assert met(run=10**9) == met(run=-1) == "other-run"
    assert met(change="total = 0\n    loss = total") == "other-form"
    assert met(line=0) == met(line=10**9) == "other-line"


def test_a_program_that_could_not_be_started_is_no_fault_of_the_line():
    def execute(source):
        raise LaunchFault("the parent process of the programs has ended")

    observer = DiagnosisObserver(lambda run: Program(["a", "b"], 1, "graph", {}), execute)
    with pytest.raises(LaunchFault):
        observer.observe(lambda: RIGHT | {"line": 1}, None)
    for wrong in ({}, {"line": 1, "cause": "keys"}, {"line": 1, "change": "a"}):  # are not run
        assert observer.observe(lambda wrong=wrong: RIGHT | wrong, None).keys() == {"claim"}


def test_what_stands_in_one_line_is_one_line():
    assert met(change="one = loss.item(); total = total + one") == "passed"
    assert met(change="  total = total + loss.cpu()") == "line-as-it-was"
    assert met(change="total = total + loss; del loss") == "name-dropped"
    assert met(change="total += loss; torch.cuda.empty_cache()") == "nobody-lets-go"
    assert met(change="total = total + loss.item(); del loss") == "passed"


def test_a_part_of_another_type_is_told():
    for change, told in ((["pass"], "an object of type list"), (7, "7")):
        answer = RIGHT | {"change": change}
        outcome = check(exercise(NAME), lambda answer=answer: answer).report.outcome
        assert outcome.finding.seen == f"change: {told}"


@pytest.mark.slow
def test_every_run_has_one_fault_that_its_own_cure_fixes():
    module = exercise(NAME).module("run")
    causes = set()
    for run in range(1, 13):
        program = module.draw(run)
        causes.add(program.cause)
        as_it_is = module.execute("\n".join(program.lines))
        assert min(as_it_is["growth"]) > 0
        for cure in module._SOUND[program.cause]:
            cured = module.execute(program.changed(program.line, cure))
            assert cured.pop("total") == pytest.approx(program.right["total"], rel=1e-7), cure
            assert cured == {key: program.right[key] for key in cured}, cure
    assert causes == set(module.CAUSES)


def test_what_was_garbage_before_a_run_is_not_taken_for_its_own():
    """Or a right answer would be refused wherever Python collects in the middle of it."""
    late = "__import__('gc').collect() if step == 4 else 0"
    gc.disable()
    try:
        for number in range(1, 4):
            tensors = [torch.ones(256, 256, device=f"cuda:{number}")]
            tensors.append(tensors)
            del tensors
        assert met(change=f"total = total + loss.item() + 0 * ({late})") == "passed"
    finally:
        gc.enable()


def test_a_run_is_shown_with_what_it_did(capsys):
    runs.show_run(NAME, 2)
    said = capsys.readouterr().out
    assert " 13      total = total + loss.cpu()\n" in said
    assert "8 × 0.5 MiB, allocated in line 8" in said


@pytest.mark.parametrize(
    ("name", "run", "said"),
    [
        (NAME, 0, "Runs have the numbers 1 to 9999"),
        (NAME, "17", "Runs have the numbers 1 to 9999"),
        ("tensors.move_batch", 1, "has no runs to show"),
        ("toolbox.what_grew", 1, "Did you mean 'toolbox.what_grows'"),
    ],
)
def test_a_run_that_is_not_there_is_a_sentence(name, run, said):
    with pytest.raises(CourseError, match=said):
        runs.show_run(name, run)


def test_after_two_wrong_diagnoses_of_a_run_another_one_is_due(monkeypatch, tmp_path):
    (tmp_path / ".course").mkdir()
    monkeypatch.chdir(tmp_path)
    record.record.cache_clear()

    def said(**changes):
        return practice.check(NAME, lambda: RIGHT | changes).text

    for _ in range(2):  # the same again is no second guess, nor is a change that does not cure
        assert "this line makes" in said(line=9)
        assert "is not the sum" in said(change="total = 0.0")
    assert "another cause" in said(cause="keys") + said(line=1)  # only other lines count
    assert "both were wrong" in said()
    assert "Where:" not in said()  # a right one stops in no case
    passed = said(run=64, line=14)
    assert "Passed" in passed
    assert "1 of 1" not in passed + said(run=64, line=14, change="total = 0.0")  # says nothing
    assert "both were wrong" not in said(run=64, line=1) + said(run=64, line=2) + said(run=64)
    record.record.cache_clear()
