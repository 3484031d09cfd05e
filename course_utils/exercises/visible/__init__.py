"""Observers of assignment 05, "Physical and logical GPUs"."""

from course_utils.checking.contract import Observer
from course_utils.exercises.visible.child_process import ChildDeviceCount
from course_utils.exercises.visible.mapping import FirstCard, LogicalToPhysical, PhysicalOf
from course_utils.exercises.visible.reading import InForce, ReadVisibleError
from course_utils.exercises.visible.set_visible import SetVisible

OBSERVERS: dict[str, Observer] = {
    observer.name: observer
    for observer in (
        LogicalToPhysical(),
        PhysicalOf(),
        SetVisible(),
        InForce(),
        ChildDeviceCount(),
        FirstCard(),
        ReadVisibleError(),
    )
}
