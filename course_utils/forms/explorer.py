"""Explorers: forms whose reply is drawn anew, out of all their fields, at every change."""

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points

from course_utils.errors import CourseError
from course_utils.forms.fields import Answer, Field
from course_utils.forms.form import Form, Reply

Draw = Callable[..., Reply]

PLUG_INS = "on_the_right_device.explorers"
"""The entry points of modules that register explorers."""

EXPLORERS: dict[str, Form] = {}
"""By key, as their modules are imported."""


def explore(key: str, **values: Answer) -> Form | Reply | None:
    """Show the explorer `key`: its fields, and its picture. With `values`, the picture alone.

    Raises CourseError if there is no such explorer, or a field does not take its value.
    """
    form = find_explorer(key).answered(values)
    return form.reply if values else form


def explorer(key: str, question: str, *fields: Field) -> Callable[[Draw], Draw]:
    """Register the decorated function as the explorer `key`.

    Its parameters are the names of `fields`. It draws in well under half a second, since it runs
    while a slider moves, and raises CourseError for what cannot be drawn.
    """

    def register(draw: Draw) -> Draw:
        EXPLORERS[key] = Form("explore", key, question, fields, draw)
        return draw

    return register


def find_explorer(key: str) -> Form:
    """Raises CourseError, with the nearest key, if there is no such explorer."""
    _load_plug_ins()
    if key in EXPLORERS:
        return EXPLORERS[key]
    near = get_close_matches(str(key), EXPLORERS, n=1) or sorted(EXPLORERS)
    raise CourseError(f"There is no explorer called {key!r}: did you mean {near[0]!r}?")


@cache
def _load_plug_ins() -> None:
    """Once: to look for entry points takes longer than to move a slider."""
    for plug_in in entry_points(group=PLUG_INS):
        plug_in.load()
