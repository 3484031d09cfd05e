"""Figures of lesson 04."""

from lesson_parts.lesson04.segments import segment_chart
from lesson_parts.lesson04.trace import trace_chart
