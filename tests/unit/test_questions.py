"""Questions as data: read from a file, asked, answered, contrasted, and kept."""

import json
from pathlib import Path

import pytest

from course_utils.checking import predictions, questions, record
from course_utils.checking.answering import answer
from course_utils.errors import CourseError
from course_utils.forms.form import MIME

TEXT = """\
# Quizzes

## 90.before.which
Which of
the two?

- [x] `a`
  Right, since
  it is.
- [ ] b
  No.

# Predictions

## 90.same
The same object?

- yes
- no

Say why.

Because: nothing was
made.

## 90.other
How many?

- 1
- 2

Because: the list is empty.

# Claims

## 90.claim.always
It is always
so.

Verdict: true if it rains

Because: it was seen once.

## 90.claim.never
It never is.

Verdict: false

Because: it was seen.
"""


@pytest.fixture(autouse=True)
def file(monkeypatch, tmp_path) -> Path:
    """A file of questions, and a workspace to keep the answers in."""
    path = tmp_path / "90.md"
    path.write_text(TEXT, encoding="utf-8")
    (tmp_path / ".course").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(questions, "questions_file", lambda lesson: tmp_path / f"{lesson}.md")
    record.record.cache_clear()
    yield path
    record.record.cache_clear()


def test_questions_are_read():
    quiz = questions.find(questions.Quiz, "90.before.which")
    assert (quiz.text, quiz.right) == ("Which of the two?", "`a`")
    assert quiz.choices == {"`a`": "Right, since it is.", "b": "No."}
    asked = questions.find(questions.Prediction, "90.same")
    assert (asked.choices, asked.because) == (("yes", "no"), "nothing was made.")
    assert asked.asks_why and not questions.find(questions.Prediction, "90.other").asks_why
    claim = questions.find(questions.Claim, "90.claim.always")
    assert (claim.text, claim.right) == ("It is always so.", questions.CONDITION)
    assert questions.find(questions.Claim, "90.claim.never").right == questions.FALSE


def test_predictions_are_contrasted_and_survive_a_restart():
    assert "( ) yes" in repr(predictions.predict("90.same"))
    predictions.predict("90.same", answer="no")
    record.record.cache_clear()
    text = predictions.reveal("90.same", "yes").text
    assert text.startswith("✗ Not as predicted. You said `no`; it is `yes`.")
    assert text.endswith("nothing was made.")
    predictions.predict("90.same", answer="yes")
    assert predictions.reveal("90.same", "yes").text.startswith("✓ As you predicted")
    assert "made no prediction" in predictions.reveal("90.other", 2).text


def test_a_reason_is_kept_and_shown_beside_the_explanation():
    predictions.predict("90.same", answer="yes", why="it is a view")
    record.record.cache_clear()
    text = predictions.reveal("90.same", "yes").text
    assert "Your reason: it is a view\nWhy: nothing was made." in text


def test_a_claim_meets_its_verdict():
    """A mark stands beside what the learner said, never beside the claim."""
    assert "( ) true with a condition" in repr(predictions.claim("90.claim.always"))
    assert predictions.verdict("90.claim.always").text == (
        "→ “It is always so.”\nThe claim is true if it rains. it was seen once."
    )
    predictions.claim("90.claim.always", answer=questions.FALSE)
    assert predictions.verdict("90.claim.always").text == (
        "✗ Not as you said: the claim is true if it rains. You said: false.\n"
        "“It is always so.”\nit was seen once."
    )
    predictions.claim("90.claim.never", answer=questions.FALSE)
    text = predictions.verdict("90.claim.never").text
    assert text.startswith("✓ You were right: the claim is false.\n“It never is.”\n")


@pytest.mark.parametrize(
    ("ask", "key"),
    [
        (predictions.predict, "90.same"),
        (predictions.quiz, "90.before.which"),
        (predictions.claim, "90.claim.never"),
    ],
)
def test_a_choice_that_is_none_is_named(ask, key):
    with pytest.raises(CourseError, match="not one of the choices"):
        ask(key, answer="maybe")


def test_a_question_is_a_form_with_a_plain_text_twin():
    bundle = predictions.quiz("90.before.which")._repr_mimebundle_()
    assert 'In plain text: quiz("90.before.which", answer=' in bundle["text/plain"]
    assert "Right, since" not in json.dumps(bundle)
    request = {"call": "quiz", "key": "90.before.which", "answers": {"answer": "b"}}
    answered = answer(json.dumps(request))._repr_mimebundle_()
    assert answered[MIME]["fields"][0]["value"] == "b" and "Not quite" in answered[MIME]["reply"]
    record.record.cache_clear()
    assert predictions._latest("quiz", "90.before.which")["chosen"] == "b"
    assert predictions.quiz("90.before.which")._repr_mimebundle_() == answered


def test_an_answer_that_is_no_choice_any_more_is_forgotten(file):
    predictions.predict("90.other", answer="1")
    file.write_text(TEXT.replace("- 1\n", "- one\n"), encoding="utf-8")
    assert predictions.predict("90.other").answers == {}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("90.before.wich", "Did you mean '90.before.which'?"),
        ("90.same", "There is no quiz called '90.same'"),
        ("91.some", "Write it in"),
        ("which", "Write one such as 02.before.device"),
        (3, "3 is not the key of a question"),
    ],
)
def test_a_question_that_does_not_exist_is_named(key, said):
    with pytest.raises(CourseError) as raised:
        predictions.quiz(key)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("- [x]", "- [ ]", "0 choices are marked"),
        ("- [ ] b", "- [x] b", "2 choices are marked"),
        ("  No.\n", "", "the choice “b” has no explanation"),
        ("- yes", "- [x] yes", "a choice is marked as right"),
        ("- 1\n", "", "needs a question and two choices or more"),
        ("How many?\n", "", "needs a question and two choices or more"),
        ("- 1\n", "- 2\n", "two choices are the same"),
        ("## 90.other", "## 90.same", "has the question 90.same twice"),
        ("## 90.other", "## 91.other", "is not a key of this lesson"),
        ("# Predictions", "# Guesses", "Use # Quizzes, # Predictions, # Claims"),
        ("Because: nothing was\nmade.\n", "", "90.same: it has no explanation"),
        ("Because: it was seen.\n", "", "90.claim.never: it has no explanation"),
        ("It never is.", "It *never* is.", "*never* would show its asterisks"),
        ("Verdict: false", "Verdict: perhaps", "write `Verdict: true`, `Verdict: false` or"),
        ("It never is.\n", "", "the claim itself is missing"),
    ],
)
def test_what_is_missing_is_one_sentence_with_the_file(file, old, new, said):
    file.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CourseError) as raised:
        questions.read_questions(file)
    assert said in str(raised.value) and str(file) in str(raised.value)
