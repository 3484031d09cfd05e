"""Figures and experiments of lesson 05."""

from course_utils.experiments.children import watch
from lesson_parts.hosts import log_in
from lesson_parts.lesson05.server import on_server
from lesson_parts.visibility import moment_map, visible_map
