"""`course intake`: what a learning platform hands out, put where nbgrader looks for it."""

from course_grading.intake.command import IntakeReport, Taken, take_in

__all__ = ["IntakeReport", "Taken", "take_in"]
