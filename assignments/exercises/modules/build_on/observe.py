"""Observe `build_on`: the devices of its tensors, its result, and the default device."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text
from exercise_kit.fitting import indices_in
from exercise_kit.observers import attempt

from ..observing import places

_LAYERS: dict[str, Callable[[int], nn.Module]] = {
    "linear": lambda n: nn.Linear(n, n),
    "norm": nn.BatchNorm1d,
    "relu": lambda n: nn.ReLU(),
}


class BuildOn(Observer):
    """Facts: the number of `calls` of `make`; `path`, the devices of its tensors when made and now.

    raised: the exception of `make` ("its own"), another one, or None. result: the module or value
    that the answer returned. default: the default device afterwards.
    """

    def indices(self, data: Mapping[str, Any]) -> range | None:
        """The GPUs up to the one of the module, if another than GPU 0 is current."""
        return range(max(indices_in(data["device"])) + 1) if data["current"] else None

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call."""
        error = MemoryError("out of memory") if inputs["fails"] else None
        made: list[nn.Module] = []
        paths = ["made nowhere"]

        def make() -> nn.Module:
            module = nn.Sequential(*(_LAYERS[layer](inputs["width"]) for layer in inputs["layers"]))
            made.append(module)
            paths.append(f"made {_devices(module)}")
            if error:
                raise error
            return module

        torch.set_default_device(inputs["default"])
        with torch.cuda.device(inputs["current"]):
            result, raised = attempt(
                lambda: answer(make, torch.device(inputs["device"])),
                lambda _: bool(error and made),
            )
        default = str(torch.get_default_device())
        torch.set_default_device(None)
        came = isinstance(result, nn.Module)
        name = "its module" if made and result is made[-1] else "another module"
        return {
            "calls": len(made),
            "raised": raised and ("its own" if raised is error else raised_text(raised)),
            "result": {"type": "other", "class": name} if came else describe(result),
            "path": f"{paths[-1]}, {_devices(result) if came else 'nowhere'} now",
            "default": default,
        }


def _devices(module: nn.Module) -> str:
    return " and ".join(sorted({f"on {place}" for _, place in places(module)})) or "nowhere"
