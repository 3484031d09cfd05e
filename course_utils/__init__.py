"""On the Right Device: the names that the lessons import.

Each name is loaded on first use, so that `import course_utils` is fast.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "lab": "course_utils.devices",
    "check": "course_utils.checking.practice",
    "rerun": "course_utils.checking.practice",
    "hint": "course_utils.checking.practice",
    "solution": "course_utils.checking.practice",
    "progress": "course_utils.checking.practice",
    "show_run": "course_utils.checking.runs",
    "predict": "course_utils.checking.predictions",
    "claim": "course_utils.checking.predictions",
    "verdict": "course_utils.checking.predictions",
    "reveal": "course_utils.checking.predictions",
    "quiz": "course_utils.checking.predictions",
    "explore": "course_utils.forms.explorer",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'course_utils' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
