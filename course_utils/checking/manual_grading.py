"""A test cell that could not be checked, handed over to the instructor instead of scored.

The cell shows an output of a type of its own; `course_grading.manual_grading` finds it there when
nbgrader saves the grades. And it raises: nbgrader's own settings know no such output, and give all
points to a cell without an error.
"""

import contextlib
import os
import sys
from typing import NoReturn

from course_utils.checking.view import AMBER, Line, Message
from course_utils.errors import CourseError

MIME = "application/x-course-held"

INTERRUPTED = (
    "A check was interrupted before it came to an end, and what follows it cannot be trusted: "
    "nbgrader waits 30 seconds for a cell, or as long as `c.Execute.timeout` in "
    "nbgrader_config.py says. Set that to 300."
)
_SETTINGS = (
    "Its points wait for you only where nbgrader_config.py has `SaveGradesOrHold`; otherwise they "
    "are 0. site/guides/instructors.md, “You have an nbgrader course already”, has the lines."
)


class NotJudged(CourseError):
    """A check that came to no verdict."""


def display(message: Message) -> None:
    """Show `message` with the mark of a cell that is held."""
    from IPython.display import publish_display_data

    shown = {"text/plain": message.text, "text/html": message._repr_html_()}
    publish_display_data({MIME: "held", **shown})


def hold(why: str, message: Message | None = None) -> NoReturn:
    """Show `message` as `display` does, and say why where nbgrader logs. Raises NotJudged."""
    display(message or _not_judged(why))
    with contextlib.suppress(OSError, ValueError):  # the kernel's own, which is nbgrader's
        os.write(sys.stderr.fileno(), f"{why} {_SETTINGS}\n".encode())
    raise NotJudged(f"{why} {_SETTINGS}")


def _not_judged(why: str) -> Message:
    told = "Your answer was not judged: points that you see for it say nothing of it."
    return Message(
        "?",
        AMBER,
        (
            Line("This could not be checked.", told),
            Line("For the instructor:", f"{why} {_SETTINGS}"),
            Line("Next:", "Please show this message to your instructor."),
        ),
    )
