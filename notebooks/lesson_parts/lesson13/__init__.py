"""Figures and experiments of lesson 13."""

from lesson_parts.lesson13.moves import moved_run
from lesson_parts.visibility import moment_map
