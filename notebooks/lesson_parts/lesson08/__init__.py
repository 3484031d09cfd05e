"""Figures of lesson 08."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson08.clocks import clock_lanes
from lesson_parts.lesson08.memory import memory_chart
from lesson_parts.lesson08.speeds import speed_chart
