"""Explorers: forms whose reply is drawn again, from all fields, at every change."""

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
"""All explorers by key; filled when their modules are imported."""


def explore(key: str, **values: Answer) -> Form | Reply | None:
    """The explorer `key`: its fields and its picture. With `values`, only the picture.

    Raises CourseError if there is no such explorer, or a field does not accept its value.
    """
    form = find_explorer(key).answered(values)
    return form.reply if values else form


def explorer(key: str, question: str, *fields: Field) -> Callable[[Draw], Draw]:
    """A decorator that registers a function as the explorer `key`.

    The function's parameters are the names of `fields`. It must draw in well under half a second,
    since it runs while a slider moves. It raises CourseError for values that cannot be drawn.
    """

    def register(draw: Draw) -> Draw:
        EXPLORERS[key] = Form("explore", key, question, fields, draw)
        return draw

    return register


def find_explorer(key: str) -> Form:
    """The explorer `key`. Raises CourseError, with the nearest key, if there is none."""
    _load_plug_ins()
    if key in EXPLORERS:
        return EXPLORERS[key]
    near = get_close_matches(str(key), EXPLORERS, n=1) or sorted(EXPLORERS)
    raise CourseError(f"There is no explorer called {key!r}. Did you mean {near[0]!r}?")


@cache
def _load_plug_ins() -> None:
    """Load the entry points, once: the search takes longer than a move of a slider."""
    for plug_in in entry_points(group=PLUG_INS):
        plug_in.load()
