"""Figures and experiments of lesson 09."""

from course_utils.experiments.recording import fed_loop, record
from lesson_parts import project
from lesson_parts.hosts import log_in
from lesson_parts.lesson09.feeding import (
    RECORDED,
    least_gain,
    speed_bars,
    sweep_chart,
    timelines,
    util_bars,
)
from lesson_parts.lesson09.loader_sweep import sweep
from lesson_parts.lesson09.workers import fed_by, worker_lanes
