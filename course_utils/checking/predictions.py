"""Predict, run, explain: questions before a surprising cell, and small quizzes.

Radio buttons where the notebook can show widgets; `answer="…"` does the same in plain text.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.record import record
from course_utils.checking.view import AMBER, GREEN, GREY, Line, Message
from course_utils.errors import CourseError


class Question:
    """A question with choices: radio buttons, and the same as text."""

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
        advice = f'To answer in plain text, add answer="{self._choices[0]}" to {self._call}(…).'
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


def predict(
    key: str, question: str, choices: Sequence[str], answer: str | None = None
) -> Question | Message:
    """Ask for a prediction before a cell is run; `reveal(key, …)` contrasts it afterwards.

    The prediction is kept in the workspace and can be changed until the cell is run. Raises
    CourseError if `answer` is none of the choices.
    """

    def respond(chosen: str) -> Message:
        if chosen != _latest("predict", key):
            record().add("predict", key, chosen=chosen)
        return Message("→", GREY, (Line("Your prediction:", f"{chosen}. Now run the next cell."),))

    return _ask("predict", question, choices, _latest("predict", key), respond, answer)


def reveal(key: str, actual: object) -> Message:
    """Contrast what happened with the prediction made under `key`."""
    chosen = _latest("predict", key)
    if chosen is None:
        return Message("→", GREY, (
            Line("It is:", f"`{actual}`. You made no prediction here; the next one is yours."),
        ))
    right = chosen == str(actual)
    record().add("reveal", key, right=right)
    if right:
        return Message("✓", GREEN, (Line("As you predicted:", f"`{actual}`."),))
    contrast = f"You said `{chosen}`; it is `{actual}`. The text below says why."
    return Message("✗", AMBER, (Line("Not as predicted.", contrast),))


def quiz(
    key: str, question: str, choices: Mapping[str, str], right: str, answer: str | None = None
) -> Question | Message:
    """Ask a small question; every choice has its explanation, and one is `right`.

    The choices are shown in an order of their own, so authors may write the right one first.
    Raises CourseError if `right` or `answer` is none of the choices.
    """
    _require(right, choices, "right")

    def respond(chosen: str) -> Message:
        if chosen != _latest("quiz", key):
            record().add("quiz", key, chosen=chosen, right=chosen == right)
        if chosen == right:
            return Message("✓", GREEN, (Line("Yes.", choices[chosen]),))
        return Message("✗", AMBER, (Line("Not quite.", choices[chosen]),))

    shown = random.Random(key).sample(list(choices), len(choices))
    return _ask("quiz", question, shown, _latest("quiz", key), respond, answer)


def _ask(
    call: str,
    question: str,
    choices: Sequence[str],
    chosen: str | None,
    respond: Callable[[str], Message],
    answer: str | None,
) -> Question | Message:
    if answer is None:
        return Question(call, question, choices, chosen if chosen in choices else None, respond)
    _require(answer, choices, "answer")
    return respond(answer)


def _require(value: str, choices: Sequence[str] | Mapping[str, str], parameter: str) -> None:
    if value not in choices:
        raise CourseError(f"{parameter}={value!r} is none of the choices: {list(choices)}.")


def _latest(kind: str, key: str) -> str | None:
    events = record().events(kind, key)
    return events[-1].get("chosen") if events else None
