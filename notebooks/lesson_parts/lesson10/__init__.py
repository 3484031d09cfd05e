"""Figures and experiments of lesson 10."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson10.checkpoints import file_map, load_map
from lesson_parts.lesson10.restarts import restart_chart
