"""Observe `assert_on`: the `ValueError` it raises, if any, and where the module is afterwards."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer

from ..observing import assemble, places

Inputs = tuple[nn.Module, torch.device, int]


class AssertOn(Observer):
    """Facts: `message`, the text of the `ValueError` or None, and `kept`."""

    parameters = ("module", "device")

    def prepare(self, data: Mapping[str, Any]) -> Inputs:
        return assemble(data["module"]), torch.device(data["device"]), data["current"]

    def observe(self, answer: Callable[..., Any], inputs: Inputs) -> Facts:
        module, device, current = inputs
        before = places(module)
        message = None
        with torch.cuda.device(current):
            try:
                answer(module, device)
            except Exception as error:
                # The engine wraps what leaves an answer; a ValueError is what is asked for here,
                # unless Python itself raised it where names were unpacked.
                inner = error.__cause__ or error
                if not isinstance(inner, ValueError) or "to unpack" in str(inner):
                    raise
                message = str(inner)[:4000]
        return {"message": message, "kept": places(module) == before}


observer = AssertOn()
