"""Figures and experiments of lesson 09."""

from course_utils.cpus import usable_cpus
from lesson_parts.lesson09.feeding import loop_timelines, sweep_chart
from lesson_parts.lesson09.loader_sweep import first_batch, sweep
from lesson_parts.lesson09.pipelines import copy_paths, loader_map
