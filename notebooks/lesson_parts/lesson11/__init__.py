"""Figures and experiments of lesson 11."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson11.distances import distance_chart, weight_chart
from lesson_parts.lesson11.exchanges import exchange_lanes
from lesson_parts.lesson11.rings import ring_rounds
from lesson_parts.lesson11.steps import two_means
