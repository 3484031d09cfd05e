"""Figures and experiments of lesson 11."""

from lesson_parts.hosts import log_in
from lesson_parts.lanes import order_lanes
from lesson_parts.lesson11.shards import shard_map
