"""Predict, run, explain: questions before a surprising cell, and small quizzes.

Radio buttons where the notebook can show widgets; `answer="…"` does the same in plain text.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.questions import find_prediction, find_quiz
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


def predict(key: str, *, answer: str | None = None) -> Question | Message:
    """Ask for the prediction `key`; `reveal(key, …)` contrasts it afterwards.

    The prediction is kept in the workspace and can be changed until the cell is run. Raises
    CourseError if there is no such prediction, or `answer` is none of the choices.
    """
    asked = find_prediction(key)

    def respond(chosen: str) -> Message:
        if chosen != _latest("predict", key):
            record().add("predict", key, chosen=chosen)
        return Message("→", GREY, (Line("Your prediction:", f"{chosen}. Now run the next cell."),))

    return _ask("predict", key, asked.text, asked.choices, respond, answer)


def reveal(key: str, actual: object) -> Message:
    """Contrast what happened with the prediction made under `key`, and say why it is so."""
    because = find_prediction(key).because or "The text below says why."
    chosen = _latest("predict", key)
    if chosen is None:
        return Message("→", GREY, (
            Line("It is:", f"`{actual}`. You made no prediction here; the next one is yours."),
            Line("", because),
        ))
    right = chosen == str(actual)
    record().add("reveal", key, right=right)
    if right:
        return Message("✓", GREEN, (Line("As you predicted:", f"`{actual}`."), Line("", because)))
    contrast = f"You said `{chosen}`; it is `{actual}`."
    return Message("✗", AMBER, (Line("Not as predicted.", contrast), Line("", because)))


def quiz(key: str, *, answer: str | None = None) -> Question | Message:
    """Ask the quiz `key`: a small question of which one choice is right.

    The choices are shown in an order of their own, so authors may write the right one first.
    Raises CourseError if there is no such quiz, or `answer` is none of the choices.
    """
    asked = find_quiz(key)

    def respond(chosen: str) -> Message:
        right = chosen == asked.right
        if chosen != _latest("quiz", key):
            record().add("quiz", key, chosen=chosen, right=right)
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
        chosen = _latest(call, key)
        chosen = chosen if chosen in choices else None
        return Question(f'{call}("{key}"', question, choices, chosen, respond)
    if answer not in choices:
        raise CourseError(f"answer={answer!r} is none of the choices: {list(choices)}.")
    return respond(answer)


def _latest(kind: str, key: str) -> str | None:
    events = record().events(kind, key)
    return events[-1].get("chosen") if events else None
