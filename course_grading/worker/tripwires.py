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
        parts = [
            (vars(owner).get, name, value)
            for owner in [*modules, *classes]
            for name, value in vars(owner).items()
            if _counts(value)
        ]
        self._getters, self._names, self._values = map(list, zip(*parts, strict=True))
        # What such a class gets may hide what it inherits, as the items of a Counter.
        self._hiding = vars(dict).keys() - vars(Counter)
        self.functions = {id(getattr(value, "__func__", value)) for value in self._values}

    def tripped(self) -> bool:
        """Whether anything is not what it was. Asked before an answer is called, and at the end."""
        now = map(operator.call, self._getters, self._names)
        same = all(map(operator.is_, now, self._values))
        return not (same and self._hiding.isdisjoint(vars(Counter)))


def _counts(value: Any) -> bool:
    return isinstance(value, FunctionType | type | ModuleType | staticmethod | classmethod)
