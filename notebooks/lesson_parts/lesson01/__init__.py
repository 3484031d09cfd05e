"""Figures and experiments of lesson 01: a shared server, and train.py on it."""

from lesson_parts.hosts import cards_now, log_in
from lesson_parts.lesson01.memories import memory_map
from lesson_parts.lesson01.training import train_on_server
from lesson_parts.lesson06.sharing import card_chart
