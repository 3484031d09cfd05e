"""The error for a call with wrong arguments, with an example of a right call."""

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from course_utils.errors import CourseError

P = ParamSpec("P")
R = TypeVar("R")


def written(example: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: the function raises CourseError, with `example`, if its arguments do not fit."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            __tracebackhide__ = True  # IPython leaves this frame out
            try:
                signature.bind(*args, **kwargs)
            except TypeError as misfit:
                raise CourseError(
                    f"The arguments of {function.__name__}(…) do not fit ({misfit}). "
                    f"Write {example}."
                ) from None
            return function(*args, **kwargs)

        return called

    return decorate
