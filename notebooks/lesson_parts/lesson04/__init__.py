"""What lesson 04 draws."""

from lesson_parts.lesson04.allocator import segment_map
from lesson_parts.lesson04.draws import draw_map
from lesson_parts.lesson04.trace import trace_chart
