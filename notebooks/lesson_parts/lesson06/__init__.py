"""Figures and experiments of lesson 06."""

from lesson_parts.hosts import cards_now, log_in, rush
from lesson_parts.lesson06.sharing import card_chart, rush_chart
