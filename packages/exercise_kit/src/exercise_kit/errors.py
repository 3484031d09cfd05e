"""The error with a message for authors and callers."""


class ExerciseError(Exception):
    """A known mistake. Its text says what is wrong and what to do.

    IPython shows only the text, without a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]
