"""`Form`: a question, its answers and the reply, as one output of a cell."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Protocol

from course_utils.errors import CourseError
from course_utils.forms.fields import Answers, Field, RadioButtons
from course_utils.inline import inline

MIME = "application/vnd.on-the-right-device.form+json"


class Reply(Protocol):
    """The reply of a form, as plain text and as HTML."""

    def _repr_html_(self) -> str: ...


@dataclass(frozen=True, repr=False)
class Form:
    """Fields to fill in, and the function that replies.

    call: the function of `course_utils` that shows this form, given `key`. Its keyword arguments
        are the names of the fields, so that plain Python can answer it too.
    respond: returns the reply to the values of all fields, by name.
    answers: the answers so far, by name.
    reply: None until all choices are made.
    """

    call: str
    key: str
    question: str
    fields: tuple[Field, ...]
    respond: Callable[..., Reply]
    answers: Answers = field(default_factory=dict)
    reply: Reply | None = None

    def answered(self, answers: Answers) -> "Form":
        """This form with `answers` and the reply to them.

        Raises CourseError for an answer that no field accepts.
        """
        known = {each.name: each for each in self.fields}
        for name in answers:
            if name not in known:
                raise CourseError(
                    f"{self.call}({self.key!r}) has no field {name!r}. Give {', '.join(known)}."
                )
        checked = {name: known[name].checked(answer) for name, answer in answers.items()}
        form = replace(self, answers=checked, reply=None)
        still_open = None in form.values.values()
        return form if still_open else replace(form, reply=self.respond(**form.values))

    @property
    def values(self) -> dict[str, Any]:
        """The value of every field, by name: the answer or the initial value; None if open."""
        return {each.name: self.answers.get(each.name, each.value) for each in self.fields}

    def __repr__(self) -> str:
        rows = [f"? {self.question}"]
        for each in self.fields:
            rows += [each.label] if each.label and isinstance(each, RadioButtons) else []
            rows += [f"  ( ) {choice}" for choice in getattr(each, "choices", ())]
        rows.append(f"In plain text: {self._line()}")
        rows += [] if self.reply is None else [repr(self.reply)]
        return "\n".join(rows)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {MIME: self._description(), "text/html": self._html(), "text/plain": repr(self)}

    def _description(self) -> dict[str, Any]:
        """The form as JSON, which packages/course_workspace/labextension draws."""
        fields = [
            {
                "name": each.name,
                "label": each.label,
                "value": self.values[each.name],
                **each.description(),
            }
            for each in self.fields
        ]
        reply = "" if self.reply is None else self.reply._repr_html_()
        return {
            "version": 1,
            "call": self.call,
            "key": self.key,
            "question": self.question,
            "fields": fields,
            "reply": reply,
        }

    def _html(self) -> str:
        """The question and how to answer it, for front ends that do not draw forms."""
        choices = "".join(
            f"<li>{inline(choice)}</li>"
            for each in self.fields
            for choice in getattr(each, "choices", ())
        )
        reply = "" if self.reply is None else self.reply._repr_html_()
        return (
            f"<p>{inline(self.question)}</p>{choices and f'<ul>{choices}</ul>'}"
            f"<p>In a cell: <code>{escape(self._line(), quote=False)}</code></p>{reply}"
        )

    def _line(self) -> str:
        """The line of Python that answers, with an ellipsis for each answer still open."""
        given = ", ".join(
            f"{name}={_literal('…' if value in (None, '') else value)}"
            for name, value in self.values.items()
        )
        return f'{self.call}("{self.key}", {given})'


def _literal(value: object) -> str:
    """`value` as Python; a text between double quotes if possible."""
    if isinstance(value, str) and not {'"', "\\", "\n"} & set(value):
        return f'"{value}"'
    return repr(value)
