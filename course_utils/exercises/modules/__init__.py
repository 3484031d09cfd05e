"""Observers of assignment 03, "Modules on devices"."""

from course_utils.checking.contract import Observer
from course_utils.exercises.modules.after_to import AfterTo
from course_utils.exercises.modules.assert_on import AssertOn
from course_utils.exercises.modules.forward_from_anywhere import ForwardFromAnywhere
from course_utils.exercises.modules.make_movable import MakeMovable
from course_utils.exercises.modules.module_devices import ModuleDevices
from course_utils.exercises.modules.move_optimizer import MoveOptimizer
from course_utils.exercises.modules.read_module_error import ReadModuleError

OBSERVERS: dict[str, Observer] = {
    observer.name: observer
    for observer in (
        ModuleDevices(),
        AssertOn(),
        AfterTo(),
        MakeMovable(),
        ForwardFromAnywhere(),
        MoveOptimizer(),
        ReadModuleError(),
    )
}
