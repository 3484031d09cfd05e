"""Figures and experiments of lesson 11."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson11.distances import distance_chart
from lesson_parts.lesson11.exchanges import exchange_lanes
