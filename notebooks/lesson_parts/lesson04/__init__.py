"""What lesson 04 draws and tries out."""

from lesson_parts.lanes import event_lanes, order_lanes
from lesson_parts.lesson04.allocator import segment_map, segments_of
from lesson_parts.lesson04.calls import answers, call_map
from lesson_parts.lesson04.draws import draw_map
