"""Figures and experiments of lesson 12."""

from lesson_parts.lesson12.moves import moved_run
from lesson_parts.visibility import moment_map
