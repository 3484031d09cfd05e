"""What lesson 12 draws and tries out."""

from lesson_parts.lesson12.moves import moved_run
from lesson_parts.visibility import moment_map
