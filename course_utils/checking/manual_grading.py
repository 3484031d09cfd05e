"""A test cell that could not be checked, handed over to the instructor instead of scored.

The cell shows an output of a special type; `course_grading.manual_grading` finds it there when
nbgrader saves the grades. The cell also raises: without our plugin, nbgrader ignores that output
and gives all points to a cell without an error.
"""

import contextlib
import os
import sys
from typing import NoReturn

from course_utils.checking.view import AMBER, Line, Message
from course_utils.errors import CourseError

MIME = "application/x-course-held"

INTERRUPTED = (
    "A check was interrupted before its end, so the checks after it cannot be trusted. "
    "nbgrader waits 30 seconds for a cell, or the time of `c.Execute.timeout` in "
    "nbgrader_config.py. Set that to 300."
)
_SETTINGS = (
    "Its points wait for you only if nbgrader_config.py has `SaveGradesOrHold`; otherwise they "
    "are 0. site/guides/instructors.md, “You have an nbgrader course already”, has the lines."
)


class NotJudged(CourseError):
    """A check without a verdict."""


def display(message: Message) -> None:
    """Show `message` with the mark of a cell that is held."""
    from IPython.display import publish_display_data

    shown = {"text/plain": message.text, "text/html": message._repr_html_()}
    publish_display_data({MIME: "held", **shown})


def hold(why: str, message: Message | None = None) -> NoReturn:
    """Show `message` as `display` does, and write `why` to nbgrader's log. Raises NotJudged."""
    display(message or _not_judged(why))
    with contextlib.suppress(OSError, ValueError):  # the kernel's stderr is also nbgrader's
        os.write(sys.stderr.fileno(), f"{why} {_SETTINGS}\n".encode())
    raise NotJudged(f"{why} {_SETTINGS}")


def _not_judged(why: str) -> Message:
    text = "Your answer was not judged. Points that you see for it mean nothing."
    return Message(
        "?",
        AMBER,
        (
            Line("This could not be checked.", text),
            Line("For the instructor:", f"{why} {_SETTINGS}"),
            Line("Next:", "Show this message to your instructor."),
        ),
    )
