"""Whether what observes an answer is still what it was: code that was replaced is noticed.

It stands in the same process as the answer, so a careful attack can go around it; what patches
first and thinks later does not.
"""

import operator
import sys
from collections import Counter
from types import FunctionType, ModuleType
from typing import Any

_WATCHED = (
    "collections",
    "course_utils.checking.",
    "course_utils.experiments.",
    "course_grading.",
    "exercise_kit.",
    "exercises_",
    "json",
)


class Tripwires:
    """Remembers the functions and classes of the checker as they are now.

    functions: their ids; the code of these may not be replaced (`audit.py`).
    """

    def __init__(self) -> None:
        modules = [m for name, m in sys.modules.items() if name.startswith(_WATCHED)]
        classes = [
            each
            for module in modules
            for each in vars(module).values()
            if isinstance(each, type) and each.__module__ == module.__name__
        ]
        self._parts = [_Parts(owner) for owner in [*modules, *classes]]
        values = (value for parts in self._parts for value in parts.values)
        self.functions = {id(getattr(value, "__func__", value)) for value in values}

    def tripped(self) -> bool:
        """Whether anything is not what it was. Asked after each case, so it must be quick."""
        return any(parts.replaced() for parts in self._parts)


class _Parts:
    """The functions, classes and modules that a module or a class has."""

    def __init__(self, owner: Any) -> None:
        parts = {name: value for name, value in vars(owner).items() if _counts(value)}
        self.owner, self.values = owner, list(parts.values())
        self._names = list(parts)
        # What such a class gets may hide what it inherits, as the items of a Counter.
        self._more = vars(dict).keys() - vars(owner) if owner is Counter else ()

    def replaced(self) -> bool:
        now = map(vars(self.owner).get, self._names)
        hides = any(name in vars(self.owner) for name in self._more)
        return hides or not all(map(operator.is_, now, self.values))


def _counts(value: Any) -> bool:
    return isinstance(value, FunctionType | type | ModuleType | staticmethod | classmethod)
