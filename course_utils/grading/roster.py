"""What the roster says of a student."""

from nbgrader.api import Student


def full_name(student: Student) -> str:
    """Last name first, as "Lovelace, Ada"; "" where the roster has no name."""
    return ", ".join(filter(None, (student.last_name, student.first_name)))
