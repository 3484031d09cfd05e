"""Figures and experiments of lesson 07."""

from lesson_parts.lanes import schedule
from lesson_parts.lesson07.batches import batch_split
from lesson_parts.lesson07.curves import speedup_curve
from lesson_parts.lesson07.flows import data_flow
from lesson_parts.lesson07.phases import run_phases
from lesson_parts.lesson07.speedups import step_time
