"""Figures of lesson 12."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson12.steps import memory_of, step_chart
