"""A check whether a submission replaced code that observes answers.

It runs in the same process as the answer, so it stops simple patches but not careful attacks.
"""

import operator
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from exercise_kit.contract import Observer
from exercise_kit.world import World

_WATCHED = (
    "collections",
    "copy",
    "course_utils.checking.",
    "course_utils.experiments.",
    "course_grading.",
    "exercise_kit.",
    "exercises_",
    "json",
)


class Tripwires:
    """The functions and classes of the checker, as they are at creation.

    objects: the observers, exercises and worlds, whose own attributes are checked as well.
    functions: the ids of functions whose code must not be replaced (`audit.py`).
    """

    def __init__(self, objects: Sequence[object]) -> None:
        modules = [m for name, m in sys.modules.items() if name.startswith(_WATCHED)]
        classes = [
            each
            for module in modules
            for each in vars(module).values()
            if isinstance(each, type) and each.__module__ == module.__name__
        ]
        own = [vars(each) for each in objects]
        tables = [each for held in own for each in held.values() if isinstance(each, dict)]
        parts = [
            (names.get, name, value)
            for names in [*map(vars, [*modules, *classes]), *own, *tables]
            for name, value in names.items()
            if _counts(value)
        ]
        self._getters, self._names, self._values = map(list, zip(*parts, strict=True))
        # A new attribute of a class or object can hide an inherited one, such as Counter.items.
        self._hiding: list[tuple[Mapping[str, Any], set[str]]]
        self._hiding = [(vars(Counter), vars(dict).keys() - vars(Counter))]
        self._hiding += [(vars(each), _methods(type(each)) - vars(each).keys()) for each in objects]
        self.functions = {id(getattr(value, "__func__", value)) for value in self._values}

    def tripped(self) -> bool:
        """Whether anything was replaced. Called before each case, and at the end."""
        now = map(operator.call, self._getters, self._names)
        return not (
            all(map(operator.is_, now, self._values))
            and all(names.isdisjoint(held) for held, names in self._hiding)
        )


def _methods(kind: type) -> set[str]:
    return {name for name in dir(kind) if callable(getattr(kind, name))}


def _counts(value: Any) -> bool:
    return callable(value) or isinstance(
        value, ModuleType | staticmethod | classmethod | Observer | World
    )
