"""Judges of assignment 03, "Modules on devices"."""

from course_utils.checking.contract import Judge
from course_utils.judging.modules.after_to import AfterTo
from course_utils.judging.modules.assert_on import AssertOn
from course_utils.judging.modules.forward_from_anywhere import ForwardFromAnywhere
from course_utils.judging.modules.make_movable import MakeMovable
from course_utils.judging.modules.module_devices import ModuleDevices
from course_utils.judging.modules.move_optimizer import MoveOptimizer
from course_utils.judging.modules.read_module_error import ReadModuleError

JUDGES: dict[str, Judge] = {
    judge.name: judge
    for judge in (
        ModuleDevices(),
        AssertOn(),
        AfterTo(),
        MakeMovable(),
        ForwardFromAnywhere(),
        MoveOptimizer(),
        ReadModuleError(),
    )
}
