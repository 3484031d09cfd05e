"""Figures and experiments of lesson 09."""

from course_utils.experiments.recording import fed_loop, record
from lesson_parts import project
from lesson_parts.hosts import log_in
from lesson_parts.lesson09.feeding import (
    RECORDED,
    loop_timelines,
    smallest_gain,
    sweep_chart,
    utilisation_chart,
)
from lesson_parts.lesson09.loader_sweep import sweep
