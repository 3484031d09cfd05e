"""Figures and experiments of lesson 11."""

from lesson_parts.lanes import order_lanes
from lesson_parts.lesson11.choices import Choice, decision_chart
from lesson_parts.lesson11.exchanges import by_a_ring, exchange_chart, through_one
from lesson_parts.lesson11.rings import ring_map
from lesson_parts.lesson11.shards import shard_map
from lesson_parts.lesson11.streams import record_order, stream_lanes
