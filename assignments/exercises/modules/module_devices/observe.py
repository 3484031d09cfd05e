"""Observe `module_devices`: the result, and whether the module is where it was."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import assemble, places


class ModuleDevices(Observer):
    """Facts: `result`, and `changed`: `["module"]` if its tensors are elsewhere now."""

    parameters = ("module",)

    def prepare(self, data: Mapping[str, Any]) -> nn.Module:
        return assemble(data["module"])

    def observe(self, answer: Callable[..., Any], inputs: nn.Module) -> Facts:
        before = places(inputs)
        result = answer(inputs)
        changed = [] if places(inputs) == before else ["module"]
        return {"result": describe(result), "changed": changed}


observer = ModuleDevices()
