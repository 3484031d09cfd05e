"""Observe `build_on`: where the tensors were made, what came back, and the default device."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import places, raised_text

_LAYERS = {"linear": lambda n: nn.Linear(n, n), "norm": nn.BatchNorm1d, "relu": lambda n: nn.ReLU()}


class BuildOn(Observer):
    """Facts: `made`, the places of the tensors when `make` ended, one list for each call.

    same, result, places: whether the module that `make` returned came back, or else what; and
    where its tensors are. raised: the exception of `make`, "another" one, or None. default:
    the default device afterwards.
    """

    parameters = ("make", "device")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        error = MemoryError("no more room") if inputs["fails"] else None
        modules: list[nn.Module] = []
        made: list[list[list[str]]] = []

        def make() -> nn.Module:
            width = inputs["width"]
            module = nn.Sequential(*(_LAYERS[layer](width) for layer in inputs["layers"]))
            modules.append(module)
            made.append(places(module))
            if error:
                raise error
            return module

        # The default device of this process is put back after every case.
        torch.set_default_device(inputs["default"])
        result, raised = None, None
        with torch.cuda.device(inputs["current"]):
            try:
                result = answer(make, torch.device(inputs["device"]))
            except Exception as wrapper:
                # The engine wraps what leaves an answer.
                inner = wrapper.__cause__ or wrapper
                if error is None or not modules:
                    raise
                raised = "its own" if inner is error else raised_text(inner)
        return {
            "made": made[:20],
            "same": bool(modules) and result is modules[-1],
            "result": "module" if isinstance(result, nn.Module) else describe(result)["type"],
            "places": places(result) if isinstance(result, nn.Module) else [],
            "raised": raised,
            "default": str(torch.get_default_device()),
        }


observer = BuildOn()
