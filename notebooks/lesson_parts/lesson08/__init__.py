"""Figures and experiments of lesson 08."""

from course_utils.figures.timelines import timeline
from lesson_parts.lesson08.memory import memory_chart, step_memory
from lesson_parts.lesson08.profiles import profile_chart
from lesson_parts.lesson09.feeding import utilisation_chart
