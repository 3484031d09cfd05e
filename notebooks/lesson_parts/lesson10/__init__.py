"""Figures and experiments of lesson 10."""

from lesson_parts.lesson10.checkpoints import load_map, tag_map
from lesson_parts.lesson10.keys import key_map
