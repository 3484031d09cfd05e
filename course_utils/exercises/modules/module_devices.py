"""Observe `modules.module_devices`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.modules.material import assemble, places

_MOST = 50


class ModuleDevices(Observer):
    """Facts: what was returned, a set as its type and items, and the module afterwards."""

    name = "modules.module_devices"
    parameters = ("module",)

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        module = assemble(data["entries"])
        before = places(module)
        said = answer(module)
        return {"said": _describe(said), "kept": places(module) == before}


def _describe(value: Any) -> dict[str, Any]:
    if type(value) is not set or len(value) > _MOST:
        return describe(value)
    items = sorted((describe(item) for item in value), key=str)
    return {"type": "set", "items": items}
