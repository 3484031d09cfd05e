"""The one kind of error that a person is meant to read."""

from exercise_kit.errors import ExerciseError


class CourseError(ExerciseError):
    """A mistake we can name. Its text is one sentence: what was wrong, and what to do."""
