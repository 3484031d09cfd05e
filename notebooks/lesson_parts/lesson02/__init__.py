"""Figures and experiments of lesson 02."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson02.devices import device_map
from lesson_parts.lesson02.training import epoch_waits
from lesson_parts.lesson02.waits import loop_lanes
