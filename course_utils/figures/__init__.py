"""Drawings for the lessons, each with a text twin that says what it shows.

Every drawing is a `Picture`: it is computed from the objects it is given, reads on a dark page and
in greyscale, and carries alt text made of the same data. matplotlib is loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course_utils.figures.allocator import segment_map, segments_of
    from course_utils.figures.batches import batch_split
    from course_utils.figures.calls import call_map
    from course_utils.figures.checkpoints import key_map, load_map, tag_map
    from course_utils.figures.choices import Choice, decision_chart
    from course_utils.figures.curves import speedup_curve
    from course_utils.figures.devices import device_map
    from course_utils.figures.draws import draw_map
    from course_utils.figures.exchanges import by_a_ring, exchange_chart, through_one
    from course_utils.figures.feeding import loop_timelines, sweep_chart, utilisation_chart
    from course_utils.figures.flows import data_flow
    from course_utils.figures.growth import growth_chart
    from course_utils.figures.lanes import event_lanes, schedule
    from course_utils.figures.links import link_map
    from course_utils.figures.memory import memory_chart
    from course_utils.figures.modules import module_map
    from course_utils.figures.moves import moved_run
    from course_utils.figures.orders import order_lanes
    from course_utils.figures.picture import Picture
    from course_utils.figures.pipelines import copy_paths, epoch_chart, loader_map
    from course_utils.figures.processors import processors_map, work_chart
    from course_utils.figures.profiles import profile_chart
    from course_utils.figures.rings import ring_map
    from course_utils.figures.shards import shard_map
    from course_utils.figures.sharing import card_chart, rush_chart
    from course_utils.figures.storages import storage_map
    from course_utils.figures.streams import stream_lanes
    from course_utils.figures.timelines import timeline
    from course_utils.figures.training import learning_curve, sample_sheet
    from course_utils.figures.visibility import family_map, moment_map, visible_map

__all__ = [
    "Choice",
    "Picture",
    "batch_split",
    "by_a_ring",
    "call_map",
    "card_chart",
    "copy_paths",
    "data_flow",
    "decision_chart",
    "device_map",
    "draw_map",
    "epoch_chart",
    "event_lanes",
    "exchange_chart",
    "family_map",
    "growth_chart",
    "key_map",
    "learning_curve",
    "link_map",
    "load_map",
    "loader_map",
    "loop_timelines",
    "memory_chart",
    "module_map",
    "moment_map",
    "moved_run",
    "order_lanes",
    "processors_map",
    "profile_chart",
    "ring_map",
    "rush_chart",
    "sample_sheet",
    "schedule",
    "segment_map",
    "segments_of",
    "shard_map",
    "speedup_curve",
    "storage_map",
    "stream_lanes",
    "sweep_chart",
    "tag_map",
    "through_one",
    "timeline",
    "utilisation_chart",
    "visible_map",
    "work_chart",
]

_HOME = {
    "segment_map": "course_utils.figures.allocator",
    "segments_of": "course_utils.figures.allocator",
    "batch_split": "course_utils.figures.batches",
    "call_map": "course_utils.figures.calls",
    "speedup_curve": "course_utils.figures.curves",
    "data_flow": "course_utils.figures.flows",
    "growth_chart": "course_utils.figures.growth",
    "event_lanes": "course_utils.figures.lanes",
    "schedule": "course_utils.figures.lanes",
    "order_lanes": "course_utils.figures.orders",
    "Picture": "course_utils.figures.picture",
    "key_map": "course_utils.figures.checkpoints",
    "load_map": "course_utils.figures.checkpoints",
    "tag_map": "course_utils.figures.checkpoints",
    "link_map": "course_utils.figures.links",
    "Choice": "course_utils.figures.choices",
    "decision_chart": "course_utils.figures.choices",
    "by_a_ring": "course_utils.figures.exchanges",
    "exchange_chart": "course_utils.figures.exchanges",
    "through_one": "course_utils.figures.exchanges",
    "ring_map": "course_utils.figures.rings",
    "shard_map": "course_utils.figures.shards",
    "stream_lanes": "course_utils.figures.streams",
    "device_map": "course_utils.figures.devices",
    "draw_map": "course_utils.figures.draws",
    "copy_paths": "course_utils.figures.pipelines",
    "epoch_chart": "course_utils.figures.pipelines",
    "loader_map": "course_utils.figures.pipelines",
    "loop_timelines": "course_utils.figures.feeding",
    "sweep_chart": "course_utils.figures.feeding",
    "utilisation_chart": "course_utils.figures.feeding",
    "memory_chart": "course_utils.figures.memory",
    "module_map": "course_utils.figures.modules",
    "moved_run": "course_utils.figures.moves",
    "card_chart": "course_utils.figures.sharing",
    "rush_chart": "course_utils.figures.sharing",
    "processors_map": "course_utils.figures.processors",
    "work_chart": "course_utils.figures.processors",
    "profile_chart": "course_utils.figures.profiles",
    "storage_map": "course_utils.figures.storages",
    "timeline": "course_utils.figures.timelines",
    "learning_curve": "course_utils.figures.training",
    "sample_sheet": "course_utils.figures.training",
    "family_map": "course_utils.figures.visibility",
    "moment_map": "course_utils.figures.visibility",
    "visible_map": "course_utils.figures.visibility",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'course_utils.figures' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
