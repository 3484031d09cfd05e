"""The one kind of error that is written for learners and instructors."""

from exercise_kit.errors import ExerciseError


class CourseError(ExerciseError):
    """A mistake we can name. Its text says what is wrong with a value or file, and what to do."""
