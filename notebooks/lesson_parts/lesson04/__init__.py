"""What lesson 04 draws."""

from lesson_parts.lesson04.trace import trace_chart
