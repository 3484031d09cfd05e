"""Predict, run, explain: questions before a surprising cell, and small quizzes.

A question is a form in the notebook; `answer="…"` does the same in plain Python.
"""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.questions import CONDITION, FALSE, TRUE, Claim, Prediction, Quiz, find
from course_utils.checking.record import record
from course_utils.checking.view import AMBER, GREEN, GREY, Line, Message
from course_utils.errors import CourseError
from course_utils.forms.fields import RadioButtons, TextField
from course_utils.forms.form import Form, Reply
from exercise_kit.text import code


def predict(key: str, *, answer: str | None = None, why: str | None = None) -> Form | Reply:
    """The form of the prediction `key`; `reveal(key, …)` compares it afterwards.

    why: the reason in one line, if the question asks for it.

    The prediction is saved in the workspace and can be changed until the cell is run. Raises
    CourseError if there is no such prediction, or `answer` is not one of the choices.
    """
    asked = find(Prediction, key)

    def respond(answer: str, why: str = "") -> Message:
        _keep("predict", key, chosen=answer, why=why)
        return Message("→", GREY, (Line("Your prediction:", f"{answer}. Now run the next cell."),))

    reason = (TextField("why", "Why? In one line:"),) if asked.asks_why else ()
    fields = (RadioButtons("answer", "", asked.choices), *reason)
    return _ask(Form("predict", key, asked.text, fields, respond), answer=answer, why=why)


def reveal(key: str, actual: object) -> Message:
    """The comparison of the actual outcome with the prediction `key`, and the reason for it."""
    asked = find(Prediction, key)
    given = _latest("predict", key)
    if not given:
        is_it = Line("It is:", f"{code(str(actual))}. You made no prediction here.")
        return Message("→", GREY, (is_it, Line("", asked.because)))
    chosen, right = given["chosen"], given["chosen"] == str(actual)
    _keep("reveal", key, right=right)
    reasons = [Line("Your reason:", given["why"])] if given.get("why") else []
    reasons.append(Line("Why:" if reasons else "", asked.because))
    if right:
        return Message("✓", GREEN, (Line("As you predicted:", f"{code(str(actual))}."), *reasons))
    contrast = Line("Not as predicted.", f"You said {code(chosen)}; it is {code(str(actual))}.")
    return Message("✗", AMBER, (contrast, *reasons))


def claim(key: str, *, answer: str | None = None) -> Form | Reply:
    """The form that asks whether the claim `key` is true; `verdict(key)` shows it afterwards.

    Raises CourseError if there is no such claim, or `answer` is not one of the choices.
    """
    quoted = find(Claim, key)

    def respond(answer: str) -> Message:
        _keep("claim", key, chosen=answer)
        return Message("→", GREY, (Line("You say:", f"{answer}. Now run the next cell."),))

    fields = (RadioButtons("answer", "", (TRUE, CONDITION, FALSE)),)
    return _ask(Form("claim", key, f"“{quoted.text}”", fields, respond), answer=answer)


def verdict(key: str) -> Message:
    """The verdict on the claim `key` and its reason, compared with the learner's answer."""
    quoted = find(Claim, key)
    quote = Line("", f"“{quoted.text}”")
    given = _latest("claim", key)
    if not given:
        return Message("→", GREY, (quote, Line(f"The claim is {quoted.verdict}.", quoted.because)))
    right = given["chosen"] == quoted.right
    _keep("verdict", key, right=right)
    # The mark rates the learner's answer, so its line begins with that answer.
    if right:
        mark, tone, said = "✓", GREEN, Line("You were right:", f"the claim is {quoted.verdict}.")
    else:
        contrast = f"the claim is {quoted.verdict}. You said: {given['chosen']}."
        mark, tone, said = "✗", AMBER, Line("Not as you said:", contrast)
    return Message(mark, tone, (said, quote, Line("", quoted.because)))


def quiz(key: str, *, answer: str | None = None) -> Form | Reply:
    """The form of the quiz `key`: a small question with one right choice.

    The choices are shuffled, so authors may write the right one first.
    Raises CourseError if there is no such quiz, or `answer` is not one of the choices.
    """
    asked = find(Quiz, key)

    def respond(answer: str) -> Message:
        right = answer == asked.right
        _keep("quiz", key, chosen=answer, right=right)
        mark, tone, lead = ("✓", GREEN, "Yes.") if right else ("✗", AMBER, "Not quite.")
        return Message(mark, tone, (Line(lead, asked.choices[answer]),))

    shown = random.Random(key).sample(list(asked.choices), len(asked.choices))
    fields = (RadioButtons("answer", "", tuple(shown)),)
    return _ask(Form("quiz", key, asked.text, fields, respond), answer=answer)


def _ask(form: Form, **given: str | None) -> Form | Reply:
    """The reply to the given answers; without any, the form with the learner's last answers."""
    answers = {name: answer for name, answer in given.items() if answer is not None}
    if answers:
        answered = form.answered(answers)
        return answered.reply or answered
    latest = _latest(form.call, form.key)
    recorded = {"answer": latest.get("chosen"), "why": latest.get("why")}
    names = [field.name for field in form.fields]
    try:
        return form.answered({name: old for name, old in recorded.items() if name in names and old})
    except CourseError:  # the question has been changed since
        return form


def _keep(kind: str, key: str, **event: Any) -> None:
    """Record `event`, unless it equals the last one."""
    latest = _latest(kind, key)
    if any(latest.get(name) != value for name, value in event.items()):
        record().add(kind, key, **event)


def _latest(kind: str, key: str) -> Mapping[str, Any]:
    events = record().events(kind, key)
    return events[-1] if events else {}
