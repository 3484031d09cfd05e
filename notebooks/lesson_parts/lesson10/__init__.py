"""What lesson 10 draws and tries out."""

from lesson_parts.lesson10.checkpoints import load_map, tag_map
from lesson_parts.lesson10.keys import key_map
