"""Figures and experiments of lesson 05."""

from lesson_parts.visibility import family_map, moment_map, visible_map
