"""Whether what observes an answer is still what it was: code that was replaced is noticed.

It stands in the same process as the answer, so a careful attack can go around it; what patches
first and thinks later does not.
"""

import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any

_WATCHED = ("course_utils.checking.", "course_utils.experiments.", "course_utils.grading.",
            "exercises.", "json")  # fmt: skip


class Tripwires:
    """Remembers the functions and classes of the checker as they are now."""

    def __init__(self) -> None:
        modules = [m for name, m in sys.modules.items() if name.startswith(_WATCHED)]
        classes = [
            each
            for module in modules
            for each in vars(module).values()
            if isinstance(each, type) and each.__module__ == module.__name__
        ]
        owners = [*modules, *classes]
        self._parts = [
            (owner, [(name, value) for name, value in vars(owner).items() if _counts(value)])
            for owner in owners
        ]
        self._codes = [
            (function, function.__code__)
            for _, parts in self._parts
            for _, value in parts
            if (function := _function(value)) is not None
        ]

    def tripped(self) -> str:
        """The name of the first thing that is not what it was, or ""."""
        for owner, parts in self._parts:
            now = vars(owner)
            for name, value in parts:
                if now.get(name) is not value:
                    return f"{owner.__name__}.{name}"
        for function, code in self._codes:
            if function.__code__ is not code:
                return f"{function.__module__}.{function.__qualname__}"
        return ""


def _counts(value: Any) -> bool:
    return isinstance(value, FunctionType | type | ModuleType | staticmethod | classmethod)


def _function(value: Any) -> FunctionType | None:
    value = getattr(value, "__func__", value)
    is_ours = isinstance(value, FunctionType) and isinstance(value.__code__, CodeType)
    return value if is_ours else None
