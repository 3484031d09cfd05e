"""Figures of lesson 03."""

from lesson_parts.lesson03.modules import module_map, name_map
