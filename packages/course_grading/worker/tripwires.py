"""Whether what observes an answer is still what it was: code that was replaced is noticed.

It stands in the same process as the answer, so a careful attack can go around it; what patches
first and thinks later does not.
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
    """Remembers the functions and classes of the checker as they are now.

    objects: those that observe, and what they belong to; what they hold themselves counts as well.
    functions: the ids of functions; the code of these may not be replaced (`audit.py`).
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
        # What such a class or object gets may hide what it inherits, as the items of a Counter.
        self._hiding: list[tuple[Mapping[str, Any], set[str]]]
        self._hiding = [(vars(Counter), vars(dict).keys() - vars(Counter))]
        self._hiding += [(vars(each), _methods(type(each)) - vars(each).keys()) for each in objects]
        self.functions = {id(getattr(value, "__func__", value)) for value in self._values}

    def tripped(self) -> bool:
        """Whether anything is not what it was. Asked before each case, and at the end."""
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
