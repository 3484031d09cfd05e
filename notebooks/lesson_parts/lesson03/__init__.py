"""What lesson 03 draws and tries out."""

from lesson_parts.lesson03.modules import module_map
from lesson_parts.training import learning_curve, sample_sheet
