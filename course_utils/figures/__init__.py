"""Drawings for the lessons, each with a text twin that says what it shows.

Every drawing is a `Picture`: it is computed from the objects it is given, reads on a dark page and
in greyscale, and carries alt text made of the same data. matplotlib is loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course_utils.figures.batches import batch_split
    from course_utils.figures.checkpoints import key_map, load_map, tag_map
    from course_utils.figures.curves import speedup_curve
    from course_utils.figures.devices import device_map
    from course_utils.figures.feeding import loop_timelines, sweep_chart, utilisation_chart
    from course_utils.figures.flows import data_flow
    from course_utils.figures.lanes import schedule
    from course_utils.figures.links import link_map
    from course_utils.figures.memory import memory_chart
    from course_utils.figures.modules import module_map
    from course_utils.figures.picture import Picture
    from course_utils.figures.pipelines import copy_paths, epoch_chart, loader_map
    from course_utils.figures.storages import storage_map
    from course_utils.figures.timelines import timeline
    from course_utils.figures.training import learning_curve, sample_sheet
    from course_utils.figures.visibility import family_map, moment_map, visible_map

__all__ = [
    "Picture",
    "batch_split",
    "copy_paths",
    "data_flow",
    "device_map",
    "epoch_chart",
    "family_map",
    "key_map",
    "learning_curve",
    "link_map",
    "load_map",
    "loader_map",
    "loop_timelines",
    "memory_chart",
    "module_map",
    "moment_map",
    "sample_sheet",
    "schedule",
    "speedup_curve",
    "storage_map",
    "sweep_chart",
    "tag_map",
    "timeline",
    "utilisation_chart",
    "visible_map",
]

_HOME = {
    "batch_split": "course_utils.figures.batches",
    "speedup_curve": "course_utils.figures.curves",
    "data_flow": "course_utils.figures.flows",
    "schedule": "course_utils.figures.lanes",
    "Picture": "course_utils.figures.picture",
    "key_map": "course_utils.figures.checkpoints",
    "load_map": "course_utils.figures.checkpoints",
    "tag_map": "course_utils.figures.checkpoints",
    "link_map": "course_utils.figures.links",
    "device_map": "course_utils.figures.devices",
    "copy_paths": "course_utils.figures.pipelines",
    "epoch_chart": "course_utils.figures.pipelines",
    "loader_map": "course_utils.figures.pipelines",
    "loop_timelines": "course_utils.figures.feeding",
    "sweep_chart": "course_utils.figures.feeding",
    "utilisation_chart": "course_utils.figures.feeding",
    "memory_chart": "course_utils.figures.memory",
    "module_map": "course_utils.figures.modules",
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
