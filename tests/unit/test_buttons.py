"""What stands under a check that did not pass, what a click brings, and a case run alone."""

import inspect
import json
import sys
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from toy import TOY

from course_utils import rerun
from course_utils.checking import answering, practice, record, single_case
from course_utils.checking.answering import answer
from course_utils.checking.buttons import MIME, with_buttons
from course_utils.checking.exercises import exercise, exercise_names
from course_utils.checking.view import CheckMessage, report_message
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from exercise_kit.outcomes import NotAttempted, Report
from exercise_kit.words import general_findings

UNKNOWN = "no such button. Run its cell again"


@pytest.fixture(autouse=True)
def toy(monkeypatch, tmp_path) -> Path:
    """Learners' functions on the toy exercise, in a workspace of its own."""
    (tmp_path / ".course").mkdir()
    monkeypatch.chdir(tmp_path)
    record.record.cache_clear()
    for module in (practice, answering):
        monkeypatch.setattr(module, "exercise", lambda name: TOY)
    yield tmp_path
    record.record.cache_clear()


def drawn(message: CheckMessage) -> dict:
    bundle = message._repr_mimebundle_()
    assert bundle["text/plain"] == message.text and bundle["text/html"] == message._repr_html_()
    return json.loads(json.dumps(bundle[MIME]))


def click(button: dict) -> dict:
    """What a click brings, as JupyterLab gets it."""
    request = {"call": button["call"], "key": "toy.double", "answers": button["answers"]}
    return json.loads(json.dumps(answer(json.dumps(request))._repr_mimebundle_()[MIME]))


def kinds(folder: Path) -> list[str]:
    lines = (folder / ".course" / "record.jsonl").read_text().splitlines()
    return [json.loads(line)["kind"] for line in lines]


def double(x):
    print("called with", x)
    return x * x


def stub(x):
    raise NotImplementedError


def test_the_buttons_follow_the_outcome():
    def labels(answer):
        message = practice.check("toy.double", answer)
        return [button["label"] for button in drawn(message)["buttons"]]

    alone = "Put this case into a cell"
    assert labels(double) == ["Hint", "Show a solution", alone]
    assert labels(lambda x: {}[x]) == ["Hint", "Show a solution", alone]
    assert labels(stub) == labels(3) == labels(lambda: 1) == ["Hint", "Show a solution"]


def test_a_pass_and_a_check_that_could_not_be_made_have_none(monkeypatch):
    assert not hasattr(practice.check("toy.double", lambda x: 2 * x), "_repr_mimebundle_")
    monkeypatch.setattr(TOY.judge, "judge", lambda case, facts: 1 / 0)
    assert not hasattr(practice.check("toy.double", double), "_repr_mimebundle_")


LATER = datetime.now(UTC) + timedelta(days=1)
EARLIER = datetime.now(UTC) - timedelta(days=1)


@pytest.mark.parametrize(
    ("wish", "due", "name", "why"),
    [
        ("always", None, "tensors.move_batch", ""),
        ("never", EARLIER, "tensors.move_batch", "does not show the solutions"),
        ("never", None, "tensors.prepare", ""),  # a task inside a lesson
        ("after the due date", None, "tensors.move_batch", "has not set yet"),
        ("after the due date", LATER, "tensors.move_batch", "after the due date, "),
        ("after the due date", EARLIER, "tensors.move_batch", ""),
        ("after the due date", LATER, "tensors.mean_loss", ""),
    ],
)
def test_what_the_course_says_of_solutions_holds_everywhere(monkeypatch, wish, due, name, why):
    course = load_manifest()
    assignments = tuple(replace(each, due=due) for each in course.assignments)
    said = replace(course, solutions=wish, assignments=assignments)
    monkeypatch.setattr("course_utils.checking.solutions.load_manifest", lambda: said)
    for module in (practice, answering):
        monkeypatch.setattr(module, "exercise", exercise)
    known = exercise(name)
    message = report_message(Report(name, NotAttempted()), known.words)
    labels = [button.label for button in with_buttons(message, known, None, 1).buttons]
    asked = json.dumps({"call": "solution", "key": name, "answers": {}})
    shown = [practice.solution(name).text]
    brought = answer(asked)._repr_mimebundle_()
    shown.append(brought["text/plain"])
    assert brought[MIME]["button"] is None
    last = [practice.hint(name).text for _ in known.words.hints][-1]
    assert ("Show a solution" in labels) == (not why)
    assert ("`solution(" in last) == (not why)
    assert all(why in text for text in shown) and ("def " in shown[1]) == (not why)


def test_without_the_authors_sources_no_solution_is_offered(monkeypatch):
    monkeypatch.setattr("course_utils.checking.solutions.has_reference", lambda folder: False)
    labels = [b["label"] for b in drawn(practice.check("toy.double", double))["buttons"]]
    assert labels == ["Hint", "Put this case into a cell"]
    assert "not on this machine" in practice.solution("toy.double").text
    last = [practice.hint("toy.double").text for _ in range(3)][-1]
    assert last.splitlines()[0].endswith("There are no more hints.")


def test_clicks_bring_hints_one_after_another_and_a_solution_when_asked_twice(toy):
    hint, solution, _ = drawn(practice.check("toy.double", double))["buttons"]
    first = click(hint)  # that of the finding is the second
    assert first["shown"]["name"] == "hint 2"
    assert "number and itself" in first["shown"]["data"]["text/markdown"]
    assert first["button"] == {"call": "hint", "label": "Next hint", "answers": {"number": 3}}
    assert "x + x + x" in click(first["button"])["shown"]["data"]["text/plain"]
    earlier = click(first["button"])["button"]
    assert earlier == {"call": "hint", "label": "Earlier hint", "answers": {"number": 1}}
    assert click(earlier)["button"] is None
    sure = click(solution)
    assert sure["shown"]["data"]["text/plain"].startswith("→ Sure?")
    assert sure["button"]["label"] == "Yes, show the solution"
    told = click(sure["button"])
    assert told["button"] is None and told["shown"]["name"] == sure["shown"]["name"]
    assert "return x + x" in told["shown"]["data"]["text/markdown"]
    assert kinds(toy) == ["check", "hint", "hint", "hint", "hint", "solution", "solution"]


def test_where_a_finding_has_no_hint_the_next_one_is_offered():
    practice.hint("toy.double")
    (hint, *_) = drawn(practice.check("toy.double", stub))["buttons"]
    assert hint["answers"] == {"number": 2}


def test_a_click_brings_the_case_with_the_names_of_the_notebook():
    def twice(x):
        return x * x

    *_, case = drawn(practice.check("toy.double", twice))["buttons"]
    brought = click(case)
    assert brought["cell"] == (
        "# twice: case 1 of 3 (three, as in the task)\n# expected: 6\ntwice(3)"
    )
    assert brought["button"] == case and "shown" not in brought


def test_a_case_whose_finding_a_plain_call_does_not_show_is_rerun():
    message = practice.check("toy.double", lambda x: None)
    *_, case = drawn(message)["buttons"]
    line = 'rerun("toy.double", double, case=1)'
    assert click(case)["cell"].endswith(f"\nfrom course_utils import rerun\n\n{line}")
    assert f"`{line}` runs this case alone." in message.text


def test_a_drawn_case_keeps_the_learners_seed():
    public = [case.data["x"] for case in TOY.public_cases]
    message = practice.check("toy.double", lambda x: 2 * x if x in public else None, seed=7)
    *_, case = drawn(message)["buttons"]
    cell = click(case)["cell"]
    assert 'rerun("toy.double", double, case=3, seed=7)' in cell and "other values" in cell
    assert "This case passes: case 3 of 3 (a large number, with other values)." in (
        rerun("toy.double", lambda x: 2 * x, case=3, seed=7).text
    )


@pytest.mark.parametrize(
    "button",
    [
        {"call": "hint", "answers": {}},
        {"call": "hint", "answers": {"number": "1"}},
        {"call": "hint", "answers": {"number": True}},
        *(
            {
                "call": "rerun",
                "answers": {"function": "f", "case": 1, "seed": None, "plain": True} | bad,
            }
            for bad in (
                {"function": "f()"},
                {"function": "import"},
                {"function": 1},
                {"plain": 1},
                {"function": "a\nb"},
                {"seed": []},
                {"seed": 1.5},
            )
        ),
    ],
)
def test_a_forged_click_is_refused_in_a_sentence(button, toy):
    with pytest.raises(CourseError, match=UNKNOWN):
        click(button)
    assert not (toy / ".course" / "record.jsonl").exists()


@pytest.mark.parametrize("case", [0, 4, "1", None, True, 10**12])
def test_a_case_that_is_none_is_refused_in_a_sentence(case):
    with pytest.raises(CourseError, match=r"toy\.double has cases 1 to 3"):
        click(
            {
                "call": "rerun",
                "answers": {"function": "f", "case": case, "seed": None, "plain": True},
            }
        )
    with pytest.raises(CourseError, match=r"toy\.double has cases 1 to 3"):
        rerun("toy.double", double, case=case)


def test_a_seed_from_a_file_is_written_as_a_literal():
    bad = '1); import os; print("'
    cell = click(
        {"call": "rerun", "answers": {"function": "f", "case": 1, "seed": bad, "plain": False}}
    )["cell"]
    assert f"seed={bad!r})" in cell


def test_a_rerun_shows_prints_and_what_came_beside_what_was_expected(capsys):
    shown = rerun("toy.double", double, case=1).text
    assert capsys.readouterr().out == "called with 3\n"
    assert shown.splitlines()[:3] == [
        "✗ Not yet: the number was squared. `x * x` is a square.",
        "Called: `double(3)`",
        "Seen: `9` · expected: `6`",
    ]


def test_a_rerun_lets_errors_through_as_they_are(capsys):
    def raises(x):
        return {}[x]

    with pytest.raises(KeyError) as caught:
        rerun("toy.double", raises, case=1)
    *_, last = traceback.extract_tb(caught.tb)
    assert (last.name, last.line) == ("raises", "return {}[x]")
    assert caught.value.__context__ is None
    assert "Your code raised an error. `KeyError: 3`" in capsys.readouterr().out


def test_a_rerun_stops_at_a_breakpoint(monkeypatch):
    stopped = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: stopped.append(inspect.stack()[1].function))

    def looked_into(x):
        breakpoint()
        return 2 * x

    assert rerun("toy.double", looked_into, case=2).text == (
        "✓ This case passes: case 2 of 3 (zero).\nCalled: `double(0)`"
    )
    assert stopped == ["looked_into"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: practice.check(), r"missing a required argument: 'name'\)\. Write `check\("),
        (lambda: practice.check("toy.double"), r"missing a required argument: 'answer'.*Write"),
        (lambda: practice.check("toy.double", double, 3), r"too many positional.*Write `check\("),
        (
            lambda: practice.check("toy.double", double, case=3),
            r"unexpected keyword argument 'case'",
        ),
        (
            lambda: practice.check(double, "toy.double"),
            r'comes first.*write `"toy.double", double`',
        ),
        (lambda: rerun(double, "toy.double", 1), r'comes first.*write `"toy.double", double`'),
        (lambda: rerun("toy.double", double), r"missing a required argument: 'case'.*case=3"),
        (lambda: practice.hint(), r"Write `hint\("),
        (lambda: practice.hint("toy.double", "2"), "hints 1 to 3; you asked for '2'"),
        (lambda: practice.hint("toy.double", 2.0), "hints 1 to 3; you asked for 2.0"),
        (lambda: practice.solution(), r"Write `solution\("),
        (lambda: practice.progress("02"), r"Write `progress\(\)`"),
    ],
)
def test_wrong_arguments_are_one_sentence(call, said):
    with pytest.raises(CourseError, match=said):
        call()


def test_every_finding_of_every_exercise_leads_to_a_hint_of_its_own():
    for name in exercise_names():
        words = exercise(name).words
        for finding, wording in words.findings.items():
            assert 1 <= (wording.hint or 0) <= len(words.hints), f"{name}: {finding}"
    assert all(wording.hint is None for wording in general_findings().values())


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        ([3, "a", None, 2.5], "f(3, 'a', None, 2.5)"),
        ([[(1, 2)], {"a": {1}}], "f([(1, 2)], {'a': {1}})"),
        ([float("nan")], ""),
        ([object()], ""),
        ([["x" * 99]], ""),
    ],
)
def test_short_literals_are_written_as_a_call(arguments, call):
    assert single_case.literal_call("f", arguments) == call


def test_a_number_of_numpy_is_no_literal():
    numpy = pytest.importorskip("numpy")
    numpy.set_printoptions(legacy="1.25")  # writes numpy.int64(3) as 3
    try:
        assert single_case.literal_call("f", [[numpy.int64(3)]]) == ""
    finally:
        numpy.set_printoptions(legacy=False)
