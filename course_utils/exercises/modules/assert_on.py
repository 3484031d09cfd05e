"""Observe `modules.assert_on`."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.exercises.modules.material import assemble, places


class AssertOn(Observer):
    """Facts: the text of the `ValueError`, or None, and whether the module is as it was."""

    name = "modules.assert_on"
    parameters = ("module", "device")

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        module = assemble(data["entries"])
        before = places(module)
        torch.cuda.set_device(data["current"])
        try:
            answer(module, torch.device(data["device"]))
            message = None
        except Exception as error:
            # The engine wraps what leaves an answer; a ValueError is what is asked for here.
            inner = error.__cause__ or error
            if not isinstance(inner, ValueError):
                raise
            message = str(inner)[:600]
        return {"message": message, "kept": places(module) == before}
