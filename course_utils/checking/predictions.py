"""Predict, run, explain: questions before a surprising cell, and small quizzes.

Radio buttons where the notebook can show widgets; `answer="…"` does the same in plain text.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.questions import (
    CONDITION,
    FALSE,
    TRUE,
    find_claim,
    find_prediction,
    find_quiz,
)
from course_utils.checking.record import record
from course_utils.checking.view import AMBER, GREEN, GREY, Line, Message
from course_utils.errors import CourseError


class Question:
    """A question with choices: radio buttons, and the same as text.

    call: how it was called, without the closing bracket.
    """

    def __init__(
        self,
        call: str,
        question: str,
        choices: Sequence[str],
        chosen: str | None,
        respond: Callable[[str], Message],
    ) -> None:
        self._call, self._question, self._choices = call, question, list(choices)
        self._chosen, self._respond = chosen, respond

    def __repr__(self) -> str:
        rows = [f"  ( ) {choice}" for choice in self._choices]
        advice = f'In plain text: {self._call}, answer="{self._choices[0]}")'
        return "\n".join([f"? {self._question}", *rows, advice])

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        # text/html would win over the widget in some front ends, so only these two are offered.
        return {**self._widget()._repr_mimebundle_(**options), "text/plain": repr(self)}

    def _widget(self) -> Any:
        import ipywidgets

        buttons = ipywidgets.RadioButtons(
            options=self._choices,
            value=self._chosen,
            layout=ipywidgets.Layout(width="max-content"),
        )
        reply = ipywidgets.HTML(self._respond(self._chosen)._repr_html_() if self._chosen else "")

        def clicked(change: Mapping[str, Any]) -> None:
            reply.value = self._respond(change["new"])._repr_html_()

        buttons.observe(clicked, names="value")
        question = ipywidgets.HTML(Message("?", GREY, (Line("", self._question),))._repr_html_())
        return ipywidgets.VBox([question, buttons, reply])


def predict(key: str, *, answer: str | None = None, why: str = "") -> Question | Message:
    """Ask for the prediction `key`; `reveal(key, …)` contrasts it afterwards.

    why: the reason in a line, where one is asked for.

    The prediction is kept in the workspace and can be changed until the cell is run. Raises
    CourseError if there is no such prediction, or `answer` is none of the choices.
    """
    asked = find_prediction(key)

    def respond(chosen: str) -> Message:
        _keep("predict", key, chosen=chosen, why=why)
        return Message("→", GREY, (Line("Your prediction:", f"{chosen}. Now run the next cell."),))

    return _ask("predict", key, asked.text, asked.choices, respond, answer)


def reveal(key: str, actual: object) -> Message:
    """Contrast what happened with the prediction made under `key`, and say why it is so."""
    asked = find_prediction(key)
    given = _latest("predict", key)
    if not given:
        return Message("→", GREY, (
            Line("It is:", f"`{actual}`. You made no prediction here; the next one is yours."),
            Line("", asked.because),
        ))
    chosen, right = given["chosen"], given["chosen"] == str(actual)
    _keep("reveal", key, right=right)
    reasons = [Line("Your reason:", given["why"])] if given.get("why") else []
    reasons.append(Line("Why:" if reasons else "", asked.because))
    if right:
        return Message("✓", GREEN, (Line("As you predicted:", f"`{actual}`."), *reasons))
    contrast = Line("Not as predicted.", f"You said `{chosen}`; it is `{actual}`.")
    return Message("✗", AMBER, (contrast, *reasons))


def claim(key: str, *, answer: str | None = None) -> Question | Message:
    """Quote the claim `key` and ask whether it is true; `verdict(key)` says so afterwards.

    Raises CourseError if there is no such claim, or `answer` is none of the choices.
    """
    quoted = find_claim(key)

    def respond(chosen: str) -> Message:
        _keep("claim", key, chosen=chosen)
        return Message("→", GREY, (Line("You say:", f"{chosen}. Now run the next cell."),))

    return _ask("claim", key, f"“{quoted.text}”", (TRUE, CONDITION, FALSE), respond, answer)


def verdict(key: str) -> Message:
    """What is right about the claim `key`, and why; contrasted with what the learner said."""
    quoted = find_claim(key)
    explained = Line(f"{quoted.verdict[:1].upper()}{quoted.verdict[1:]}.", quoted.because)
    given = _latest("claim", key)
    if not given:
        return Message("→", GREY, (Line("", f"“{quoted.text}”"), explained))
    right = given["chosen"] == quoted.right
    _keep("verdict", key, right=right)
    mark, tone = ("✓", GREEN) if right else ("✗", AMBER)
    said = Line("You said:", f"{given['chosen']}.")
    return Message(mark, tone, (Line("", f"“{quoted.text}”"), said, explained))


def quiz(key: str, *, answer: str | None = None) -> Question | Message:
    """Ask the quiz `key`: a small question of which one choice is right.

    The choices are shown in an order of their own, so authors may write the right one first.
    Raises CourseError if there is no such quiz, or `answer` is none of the choices.
    """
    asked = find_quiz(key)

    def respond(chosen: str) -> Message:
        right = chosen == asked.right
        _keep("quiz", key, chosen=chosen, right=right)
        mark, tone, lead = ("✓", GREEN, "Yes.") if right else ("✗", AMBER, "Not quite.")
        return Message(mark, tone, (Line(lead, asked.choices[chosen]),))

    shown = random.Random(key).sample(list(asked.choices), len(asked.choices))
    return _ask("quiz", key, asked.text, shown, respond, answer)


def _ask(
    call: str,
    key: str,
    question: str,
    choices: Sequence[str],
    respond: Callable[[str], Message],
    answer: str | None,
) -> Question | Message:
    if answer is None:
        chosen = _latest(call, key).get("chosen")
        chosen = chosen if chosen in choices else None
        return Question(f'{call}("{key}"', question, choices, chosen, respond)
    if answer not in choices:
        raise CourseError(f"answer={answer!r} is none of the choices: {list(choices)}.")
    return respond(answer)


def _keep(kind: str, key: str, **event: Any) -> None:
    """Record `event`, unless it is what was recorded last."""
    latest = _latest(kind, key)
    if any(latest.get(name) != value for name, value in event.items()):
        record().add(kind, key, **event)


def _latest(kind: str, key: str) -> Mapping[str, Any]:
    events = record().events(kind, key)
    return events[-1] if events else {}
