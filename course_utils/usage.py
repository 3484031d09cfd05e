"""What a call with the wrong arguments is told: one sentence, with the way to write it."""

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from course_utils.errors import CourseError

P = ParamSpec("P")
R = TypeVar("R")


def written(example: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let the decorated function raise CourseError, with `example`, if its arguments do not fit."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            __tracebackhide__ = True  # IPython leaves this frame out
            try:
                signature.bind(*args, **kwargs)
            except TypeError as misfit:
                raise CourseError(
                    f"{function.__name__}(…) was called with other arguments than it takes "
                    f"({misfit}): write {example}."
                ) from None
            return function(*args, **kwargs)

        return called

    return decorate
