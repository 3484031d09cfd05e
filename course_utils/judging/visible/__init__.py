"""Judges of assignment 05, "Physical and logical GPUs"."""

from course_utils.checking.contract import Judge
from course_utils.judging.visible.child_process import ChildDeviceCount
from course_utils.judging.visible.first import FirstCard
from course_utils.judging.visible.force import InForce
from course_utils.judging.visible.messages import ReadVisibleError
from course_utils.judging.visible.numbering import LogicalToPhysical
from course_utils.judging.visible.physical import PhysicalOf
from course_utils.judging.visible.setting import SetVisible

JUDGES: dict[str, Judge] = {
    judge.name: judge
    for judge in (
        LogicalToPhysical(),
        PhysicalOf(),
        SetVisible(),
        InForce(),
        ChildDeviceCount(),
        FirstCard(),
        ReadVisibleError(),
    )
}
