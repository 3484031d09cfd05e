"""What lesson 05 draws and tries out."""

from lesson_parts.visibility import family_map, moment_map, visible_map
