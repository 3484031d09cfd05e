"""Drawings for the lessons, each with a text twin that says what it shows.

Every drawing is a `Picture`: it is computed from the objects it is given, reads on a dark page and
in greyscale, and carries alt text made of the same data. matplotlib is loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course_utils.figures.checkpoints import key_map, tag_map
    from course_utils.figures.devices import device_map
    from course_utils.figures.modules import module_map
    from course_utils.figures.picture import Picture
    from course_utils.figures.storages import storage_map
    from course_utils.figures.timelines import timeline

__all__ = ["Picture", "device_map", "key_map", "module_map", "storage_map", "tag_map", "timeline"]

_HOME = {
    "Picture": "course_utils.figures.picture",
    "key_map": "course_utils.figures.checkpoints",
    "tag_map": "course_utils.figures.checkpoints",
    "device_map": "course_utils.figures.devices",
    "module_map": "course_utils.figures.modules",
    "storage_map": "course_utils.figures.storages",
    "timeline": "course_utils.figures.timelines",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'course_utils.figures' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
