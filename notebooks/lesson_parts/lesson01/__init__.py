"""Experiments of lesson 01: train.py on a shared server."""

from lesson_parts.hosts import log_in
from lesson_parts.lesson01.training import train_on_server
