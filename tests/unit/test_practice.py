"""What learners call, and what they see: text, HTML, record, and nbgrader's two modes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from toy import Double, DoubleJudge

from course_utils.checking import practice, predictions, record, registry
from course_utils.errors import CourseError

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def toy(monkeypatch, tmp_path):
    """Learners' functions on the toy exercise, in a workspace of its own."""
    (tmp_path / ".course").mkdir()
    monkeypatch.chdir(tmp_path)
    record.record.cache_clear()
    monkeypatch.setattr(registry, "observer", lambda name: Double())
    monkeypatch.setattr(registry, "judge", lambda name: DoubleJudge())
    monkeypatch.setattr(registry, "require_name", lambda name: None)
    yield tmp_path
    record.record.cache_clear()


def test_outcomes_look_different_in_text_and_html():
    def stub(x):
        raise NotImplementedError

    messages = [practice.check("toy.double", answer) for answer in
                (lambda x: 2 * x, lambda x: x * x, stub, lambda x: {}[x])]
    leads = [message.text.split(".")[0] for message in messages]
    assert leads == ["✓ Passed", "✗ Not yet: the number was squared", "○ Not attempted yet",
                     "! Your code raised an error"]
    assert len({message._repr_html_()[:80] for message in messages}) == 4
    for message in messages:
        assert "Traceback" not in message.text


def test_a_failed_check_says_what_was_seen_expected_and_next():
    text = practice.check("toy.double", lambda x: x * x).text
    assert text == (
        "✗ Not yet: the number was squared. `x * x` is a square.\n"
        "Seen: `9` · expected: `6` · case 1 of 2 (three)\n"
        'Next: Use `2 * x`. `hint("toy.double")` helps.'
    )


def test_a_pass_says_how_many_more_cases_run():
    message = practice.check("toy.double", lambda x: 2 * x)
    assert message.text == "✓ Passed. 2 of 2 public cases. 3 more run at grading."
    assert message.report.passed


def test_html_escapes_what_learners_print():
    html = practice.check("toy.double", lambda x: print("<script>") or 2 * x)._repr_html_()
    assert "&lt;script&gt;" in html and "<script>" not in html


def test_hints_escalate_and_the_last_one_stays():
    texts = [practice.hint("toy.double").text for _ in range(4)]
    assert [text.split(".")[0] for text in texts] == [
        "→ Hint 1 of 3", "→ Hint 2 of 3", "→ Hint 3 of 3", "→ Hint 3 of 3"]
    assert "x + x + x" in texts[2]


def test_a_solution_is_shown_when_asked_for_twice(monkeypatch):
    monkeypatch.setattr(practice, "reference", lambda name: "def double(x):\n    return 2 * x")
    assert "return 2 * x" not in practice.solution("toy.double").text
    assert "return 2 * x" in practice.solution("toy.double")._repr_markdown_()


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
    kept = record.Record(toy)
    kept.add("check", "a", outcome="Passed")
    kept.add("check", "a", outcome="Failed")
    said = capsys.readouterr().out
    assert said.count("Progress is kept only until") == 1 and "record.jsonl" in said
    assert len(kept.events("check", "a")) == 2


def test_outside_a_workspace_progress_lasts_for_the_session(capsys):
    kept = record.Record(None)
    kept.add("hint", "a")
    assert "outside a learner's workspace" in capsys.readouterr().out
    assert len(kept.events("hint", "a")) == 1


def test_predictions_are_contrasted_and_survive_a_restart():
    choices = ["yes", "no"]
    assert "( ) yes" in repr(predictions.predict("02.same", "The same object?", choices))
    predictions.predict("02.same", "The same object?", choices, answer="no")
    record.record.cache_clear()
    assert predictions.reveal("02.same", "yes").text.startswith("✗ Not as predicted. You said `no`")
    predictions.predict("02.same", "The same object?", choices, answer="yes")
    assert predictions.reveal("02.same", "yes").text.startswith("✓ As you predicted")
    assert "no prediction" in predictions.reveal("02.other", 3).text


def test_a_choice_that_is_none_is_named():
    with pytest.raises(CourseError, match="none of the choices"):
        predictions.predict("02.same", "?", ["yes", "no"], answer="maybe")


def test_a_question_is_a_widget_with_a_plain_text_twin():
    question = predictions.quiz("02.q", "Which?", {"a": "Right, since …", "b": "No: …"}, right="a")
    bundle = question._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert 'To answer in plain text, add answer=' in bundle["text/plain"]
    widget = question._widget()
    widget.children[1].value = "b"
    assert "Not quite" in widget.children[2].value
    assert predictions._latest("quiz", "02.q") == "b"


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from toy import Double, DoubleJudge
from course_utils.checking import practice, registry
registry.observer, registry.judge = lambda n: Double(), lambda n: DoubleJudge()
registry.require_name = lambda n: None
import os
os.environ["NBGRADER_EXECUTION"] = ""     # too late: the mode was read at import
print(practice.hint("toy.double").text)
print(practice.check("toy.double", lambda x: 2 * x).text)
try:
    practice.check("toy.double", {answer})
except practice.CheckFailed as failed:
    print("RAISED", failed)
"""


def under(mode: str, answer: str, seed: str = "s") -> str:
    environment = {**os.environ, "NBGRADER_EXECUTION": mode, "COURSE_GRADING_SEED": seed}
    script = SCRIPT.format(here=str(HERE), answer=answer)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_while_grading_hidden_cases_run_and_a_failure_raises():
    fitted = "{3: 6, 0: 0}.get"
    said = under("autograde", fitted)
    assert "Passed. 5 of 5 cases." in said
    assert "Hints are not shown while grading" in said
    assert "RAISED ✗ Not yet" in said and "hidden case 1 of 3 (large numbers)" in said


def test_what_is_said_of_hidden_cases_is_the_same_for_every_seed():
    leaking = "lambda x: {3: 6, 0: 0}[x]"  # its KeyError carries the hidden value
    assert under("autograde", leaking, "a") == under("autograde", leaking, "b")


def test_the_validate_button_runs_public_cases_and_a_failure_raises():
    said = under("validate", "lambda x: x * x")
    assert "2 of 2 public cases" in said and "RAISED ✗ Not yet: the number was squared" in said


def test_a_record_is_one_json_object_a_line(toy):
    practice.check("toy.double", lambda x: x * x)
    (line,) = (toy / ".course" / "record.jsonl").read_text().splitlines()
    event = json.loads(line)
    assert (event["kind"], event["name"], event["finding"]) == ("check", "toy.double", "squared")
