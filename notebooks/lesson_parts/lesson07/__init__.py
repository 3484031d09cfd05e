"""Figures and experiments of lesson 07."""

from lesson_parts import project
from lesson_parts.hosts import log_in
from lesson_parts.lesson07.flows import data_flow
from lesson_parts.lesson07.speedups import step_lanes, step_time
