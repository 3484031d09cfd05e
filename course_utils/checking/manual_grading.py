"""A test cell that could not be checked, handed over to the instructor instead of scored.

The cell shows an output of a type of its own; `course_grading.manual_grading` finds it there when
nbgrader saves the grades.
"""

from course_utils.checking.view import Message

MIME = "application/x-course-held"


def display(message: Message) -> None:
    """Show `message` with the mark of a cell that is held."""
    from IPython.display import publish_display_data

    shown = {"text/plain": message.text, "text/html": message._repr_html_()}
    publish_display_data({MIME: "held", **shown})
