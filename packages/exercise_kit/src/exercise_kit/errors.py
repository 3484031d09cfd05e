"""The one kind of error that an author, or whoever calls, is meant to read."""


class ExerciseError(Exception):
    """A mistake we can name. Its text is one sentence: what was wrong, and what to do.

    IPython shows that sentence alone, without a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]
