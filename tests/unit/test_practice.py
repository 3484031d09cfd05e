"""What learners call, and what they see: text, HTML, record, and nbgrader's two modes."""

import html
import json
import threading
from pathlib import Path

import pytest
from toy import TOY

from course_utils.checking import practice, record
from course_utils.errors import CourseError
from course_utils.inline import inline
from course_utils.manifest import load_manifest
from exercise_kit.text import code
from tests.fresh import fresh

HERE = Path(__file__).parent
PUBLIC = {case.data["x"]: 2 * case.data["x"] for case in TOY.public_cases}


@pytest.fixture(autouse=True)
def toy(monkeypatch, tmp_path):
    """Learners' functions on the toy exercise, in a workspace of its own."""
    (tmp_path / ".course").mkdir()
    monkeypatch.chdir(tmp_path)
    record.record.cache_clear()
    monkeypatch.setattr(practice, "exercise", lambda name: TOY)
    yield tmp_path
    record.record.cache_clear()


def test_outcomes_look_different_in_text_and_html():
    def stub(x):
        raise NotImplementedError

    messages = [
        practice.check("toy.double", answer)
        for answer in (lambda x: 2 * x, lambda x: x * x, stub, lambda x: {}[x])
    ]
    leads = [message.text.split(".")[0] for message in messages]
    assert leads == [
        "✓ Passed",
        "✗ Not yet: the number was squared",
        "○ Not attempted yet",
        "! Your code raised an error",
    ]
    assert len({message._repr_html_()[:80] for message in messages}) == 4
    for message in messages:
        assert "Traceback" not in message.text


def test_only_the_first_check_in_processes_says_that_it_takes_longer(monkeypatch, capsys):
    monkeypatch.setattr(type(TOY.observer), "in_processes", True)
    practice._announce_loading.cache_clear()
    said = []
    for _ in range(2):
        practice.check("toy.double", lambda x: 2 * x)
        said.append("The first check takes longer" in capsys.readouterr().out)
    assert said == [True, False]


def test_a_failed_check_says_what_was_seen_expected_and_next():
    text = practice.check("toy.double", lambda x: x * x).text
    assert text == (
        "✗ Not yet: the number was squared. `x * x` is a square.\n"
        "Seen: `9` · expected: `6`\n"
        "Where: case 1 of 3 (three, as in the task)\n"
        'Next: Use `2 * x`. `hint("toy.double", 2)` helps here.\n'
        "`double(3)` runs this case alone."
    )


def test_a_function_of_other_parameters_is_told_so_without_a_case():
    text = practice.check("toy.double", lambda a, b: 1).text
    assert "Seen: `a function of (a, b)` · expected: `a function of (x)`" in text
    assert "Where:" not in text


def test_a_pass_says_what_grading_will_do():
    message = practice.check("toy.double", lambda x: 2 * x)
    assert message.text == (
        "✓ Passed. 3 of 3 cases. At grading they run again with other values; "
        "`check(…, seed=1)` does that now."
    )
    assert message.report.passed


@pytest.mark.parametrize("task", [task for each in load_manifest().lessons for task in each.tasks])
def test_a_task_inside_a_lesson_speaks_of_what_was_done_and_not_of_grading(task):
    text = practice.check(task.name, lambda x: 2 * x).text
    assert text.startswith("✓ Passed. 3 of 3 cases.\n") and task.done in text
    of = next(len(each.tasks) for each in load_manifest().lessons if task in each.tasks)
    assert f"1 of {of} tasks of this lesson passed. Next: read on; “" in text
    assert "grading" not in text and "seed" not in text


def test_alone_one_can_run_all_cases_with_a_seed_of_ones_own():
    message = practice.check("toy.double", lambda x: 2 * x, seed=7)
    assert message.text == "✓ Passed. 3 of 3 cases. 1 of them ran with other values."
    text = practice.check("toy.double", lambda x: 2 * x if x in PUBLIC else 0, seed=7).text
    assert "Seen: `0`" in text and "a large number, with other values" in text


def test_a_hint_can_be_asked_for_by_number():
    assert "number and itself" in practice.hint("toy.double", 2).text
    with pytest.raises(CourseError, match="hints 1 to 3; you asked for 4"):
        practice.hint("toy.double", 4)


BACKTICKS = [
    "a `quoted` name",
    "`",
    "`x`",
    "``",
    "``x` `",
    " `",
    "x",
    " x ",
    "`" * 5,
    "<`>",
    "a `` b",
]


@pytest.mark.parametrize("seen", BACKTICKS)
def test_backticks_in_what_was_seen_stay_readable(seen):
    """However many there are, and wherever: between code and text nothing moves."""
    shown = inline(f"Seen: {code(seen)} · expected: {code('2')}")
    value = html.escape(seen, quote=False)
    assert shown == f"Seen: <code>{value}</code> · expected: <code>2</code>"


def test_a_failed_check_shows_a_value_with_backticks():
    shown = practice.check("toy.double", lambda x: "`x` and ``y``")._repr_html_()
    assert "Seen:</b> <code>'`x` and ``y``'</code> · expected: <code>6</code></p>" in shown


def test_a_long_error_keeps_its_beginning_and_its_end():
    def fail(x):
        raise ValueError("first " + "x" * 5000 + " last")

    text = practice.check("toy.double", fail).text
    assert "first" in text and " … " in text and "last" in text and len(text) < 1200


def test_a_check_that_cannot_be_made_is_no_failure(monkeypatch):
    monkeypatch.setattr(TOY.judge, "judge", lambda case, facts: 1 / 0)
    text = practice.check("toy.double", lambda x: 2 * x).text
    assert text.startswith("? This could not be checked.") and "ZeroDivisionError" in text


def test_a_thread_left_behind_is_told():
    stop = threading.Event()
    text = practice.check(
        "toy.double", lambda x: (threading.Thread(target=stop.wait).start(), 2 * x)[1]
    ).text
    stop.set()
    assert "A thread that your code started is still running." in text


def test_html_escapes_what_learners_print():
    html = practice.check("toy.double", lambda x: print("<script>") or 2 * x)._repr_html_()
    assert "&lt;script&gt;" in html and "<script>" not in html


def test_hints_escalate_and_the_last_one_stays():
    texts = [practice.hint("toy.double").text for _ in range(4)]
    assert [text.split(".")[0] for text in texts] == [
        "→ Hint 1 of 3",
        "→ Hint 2 of 3",
        "→ Hint 3 of 3",
        "→ Hint 3 of 3",
    ]
    assert "x + x + x" in texts[2]


def test_a_solution_is_shown_when_asked_for_twice():
    assert "return x + x" not in practice.solution("toy.double").text
    shown = practice.solution("toy.double")._repr_markdown_()
    assert "return x + x" in shown and "SOLUTION" not in shown and "try" not in shown


def test_the_record_survives_a_restart_and_a_broken_line(toy):
    practice.check("toy.double", lambda x: 2 * x)
    file = toy / ".course" / "record.jsonl"
    file.write_bytes(file.read_bytes() + b'{"kind": "check", "na')
    record.record.cache_clear()
    practice.check("toy.double", lambda x: x * x)
    outcomes = [event["outcome"] for event in record.record().events("check", "toy.double")]
    assert outcomes == ["Passed", "Failed"]


def test_a_record_that_cannot_be_written_is_said_once_and_kept_in_memory(toy, capsys):
    (toy / ".course").rmdir()
    (toy / ".course").write_text("a file in the way")
    kept = record.LearnerRecord(toy)
    kept.add("check", "a", outcome="Passed")
    kept.add("check", "a", outcome="Failed")
    said = capsys.readouterr().out
    assert said.count("Progress is lost when") == 1 and "record.jsonl" in said
    assert len(kept.events("check", "a")) == 2


def test_outside_a_workspace_progress_lasts_for_the_session(capsys):
    kept = record.LearnerRecord(None)
    kept.add("hint", "a")
    assert "outside a learner's workspace" in capsys.readouterr().out
    assert len(kept.events("hint", "a")) == 1


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from toy import TOY
from course_utils.checking import practice
practice.exercise = lambda name: TOY
import os
os.environ["NBGRADER_EXECUTION"] = ""     # too late: the mode was read at import
print(practice.hint("toy.double").text)
print(practice.solution("toy.double").text)
print(practice.check("toy.double", lambda x: 2 * x).text)
print(practice.rerun("toy.double", lambda x: 1 / 0, case=1).text)
try:
    print(practice.check("toy.double", {answer}).text)
except practice.CheckFailed as failed:
    print("RAISED", failed)
"""


def under(mode: str, answer: str, seed: str = "s") -> str:
    script = SCRIPT.format(here=str(HERE), answer=answer)
    said = fresh(script, NBGRADER_EXECUTION=mode, COURSE_GRADING_SEED=seed)
    assert "Traceback" not in said
    return said


@pytest.mark.slow
def test_while_grading_hidden_cases_run_and_a_failure_raises():
    said = under("autograde", f"{PUBLIC}.get")
    assert "Passed. 3 of 3 cases. 1 of them ran with" in said
    assert "runs nothing under nbgrader" in said and "alone" not in said
    assert "Hints are not shown while grading" in said
    assert "Solutions are not shown while grading" in said
    assert "RAISED ✗ Not yet" in said
    assert "Where: case 3 of 3 (a large number, with other values)" in said
    assert "Seen:" not in said


@pytest.mark.more
@pytest.mark.slow
def test_what_is_said_of_hidden_cases_is_the_same_for_every_seed():
    for leaking in (
        f"lambda x: {PUBLIC}[x]",  # its KeyError carries the hidden value
        f"lambda x: {PUBLIC}.get(x) if x in {PUBLIC} else (_ for _ in ()).throw("
        "type(f'Saw{x}', (Exception,), {}))",  # and here the name of the exception does
        f"lambda x: print(x) or {PUBLIC}.get(x, -x)",
    ):
        said = under("autograde", leaking, "a")
        assert said == under("autograde", leaking, "b") and "RAISED" in said


@pytest.mark.slow
def test_what_an_answer_prints_is_not_shown_while_grading_even_if_it_passes():
    assert "seen" not in under("autograde", "lambda x: print('seen', x) or 2 * x")
    assert "seen" in under("validate", "lambda x: print('seen', x) or 2 * x")


@pytest.mark.slow
def test_the_validate_button_runs_public_cases_and_a_failure_raises():
    said = under("validate", "lambda x: x * x")
    assert "Passed. 3 of 3 cases." in said and "RAISED ✗ Not yet: the number was squared" in said
    assert "runs nothing under nbgrader" in said and "alone" not in said


SHOWN = """
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
with capture_output() as captured:
    InteractiveShell.instance().run_cell('practice.check("toy.double", lambda x: 2 * x)')
print("RESULT" if "Out[" in captured.stdout else "SHOWN", captured.outputs)
"""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["validate", "autograde"])
def test_a_verdict_is_no_result_of_its_cell_which_nbgrader_takes_for_points(mode):
    script = SCRIPT.format(here=str(HERE), answer="lambda x: 2 * x") + SHOWN
    said = fresh(script, NBGRADER_EXECUTION=mode, COURSE_GRADING_SEED="s")
    assert "SHOWN [" in said, said


def test_a_record_is_one_json_object_a_line(toy):
    practice.check("toy.double", lambda x: x * x)
    (line,) = (toy / ".course" / "record.jsonl").read_text().splitlines()
    event = json.loads(line)
    assert (event["kind"], event["name"], event["finding"]) == ("check", "toy.double", "squared")


def test_the_last_exercise_of_an_assignment_is_told_with_points_and_what_comes_next(monkeypatch):
    first, second = load_manifest().assignments[:2]
    kept = record.record()
    for exercise in first.exercises[1:]:
        kept.add("check", exercise.name, outcome="Passed")
    missing = first.exercises[0]
    assert f"Next: “{missing.title}” in `{first.name}`" in practice.progress().text
    assert "All" not in practice.check(missing.name, lambda x: x * x).text
    text = practice.check(missing.name, lambda x: 2 * x).text
    assert f"All {len(first.exercises)} exercises of `{first.name}` are passed: " in text
    assert f"{first.points} points. Next: lesson {second.lesson}, " in text
    count = len(first.exercises)
    assert f"{count} of {count} exercises passed ({first.points} of" in practice.progress().text
    for exercise in (each for one in load_manifest().assignments for each in one.exercises):
        kept.add("check", exercise.name, outcome="Passed")
    assert "Next: nothing. You have solved every exercise" in practice.progress().text
