"""What lesson 03 draws."""

from lesson_parts.lesson03.modules import module_map
