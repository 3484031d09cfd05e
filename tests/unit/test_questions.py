"""Questions as data: read from a file, asked, answered, contrasted, and kept."""

from pathlib import Path

import pytest

from course_utils.checking import predictions, questions, record
from course_utils.errors import CourseError

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

Because: nothing was
made.

## 90.other
How many?

- 1
- 2
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
    quiz = questions.find_quiz("90.before.which")
    assert (quiz.text, quiz.right) == ("Which of the two?", "`a`")
    assert quiz.choices == {"`a`": "Right, since it is.", "b": "No."}
    asked = questions.find_prediction("90.same")
    assert (asked.choices, asked.because) == (("yes", "no"), "nothing was made.")
    assert questions.find_prediction("90.other").because == ""


def test_predictions_are_contrasted_and_survive_a_restart():
    assert "( ) yes" in repr(predictions.predict("90.same"))
    predictions.predict("90.same", answer="no")
    record.record.cache_clear()
    text = predictions.reveal("90.same", "yes").text
    assert text.startswith("✗ Not as predicted. You said `no`; it is `yes`.")
    assert text.endswith("nothing was made.")
    predictions.predict("90.same", answer="yes")
    assert predictions.reveal("90.same", "yes").text.startswith("✓ As you predicted")
    assert "no prediction" in predictions.reveal("90.other", 2).text


def test_a_choice_that_is_none_is_named():
    for ask, key in ((predictions.predict, "90.same"), (predictions.quiz, "90.before.which")):
        with pytest.raises(CourseError, match="none of the choices"):
            ask(key, answer="maybe")


def test_a_question_is_a_widget_with_a_plain_text_twin():
    question = predictions.quiz("90.before.which")
    bundle = question._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert 'In plain text: quiz("90.before.which", answer=' in bundle["text/plain"]
    assert "Right, since" not in bundle["text/plain"]
    widget = question._widget()
    widget.children[1].value = "b"
    assert "Not quite" in widget.children[2].value
    assert predictions._latest("quiz", "90.before.which") == "b"


@pytest.mark.parametrize(("key", "said"), [
    ("90.before.wich", "did you mean '90.before.which'?"),
    ("90.same", "There is no quiz called '90.same'"),
    ("91.some", "write it in"),
    ("which", "a key looks like 02.before.device"),
    (3, "3 is no question"),
])
def test_a_question_that_does_not_exist_is_named(key, said):
    with pytest.raises(CourseError) as raised:
        predictions.quiz(key)
    assert said in str(raised.value)


@pytest.mark.parametrize(("old", "new", "said"), [
    ("- [x]", "- [ ]", "0 choices are marked"),
    ("- [ ] b", "- [x] b", "2 choices are marked"),
    ("  No.\n", "", "the choice “b” has no explanation"),
    ("- yes", "- [x] yes", "a prediction marks no choice as right"),
    ("- 1\n", "", "needs a question and two choices or more"),
    ("How many?\n", "", "needs a question and two choices or more"),
    ("- 1\n", "- 2\n", "two choices are the same"),
    ("## 90.other", "## 90.same", "has the question 90.same twice"),
    ("## 90.other", "## 91.other", "is no key of this lesson"),
    ("# Predictions", "# Guesses", "neither # Quizzes nor # Predictions"),
])
def test_what_is_missing_is_one_sentence_with_the_file(file, old, new, said):
    file.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CourseError) as raised:
        questions.read_questions(file)
    assert said in str(raised.value) and str(file) in str(raised.value)
