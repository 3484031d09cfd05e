"""Observe `assert_on`: the `ValueError` it raises, if any, and where the module is afterwards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from exercise_kit.contract import Facts, Observer

from ..observing import places

Entry = Mapping[str, Any]
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


def assemble(entries: Sequence[Entry]) -> nn.Module:
    """A module that holds `entries`, each with a dotted name, a kind and a device.

    Kinds: "parameter", "buffer", "temporary" (a buffer outside the checkpoint), "attribute" (a
    plain tensor) and "listed" (a module in a Python list). Submodules are made where names need
    them.
    """
    root = nn.Module()
    for entry in entries:
        *path, leaf = entry["name"].split(".")
        owner = root
        for name in path:
            if not hasattr(owner, name):
                owner.add_module(name, nn.Module())
            owner = getattr(owner, name)
        _attach(owner, leaf, entry["kind"], torch.ones(3, device=entry["device"]))
    return root


def _attach(owner: nn.Module, leaf: str, kind: str, tensor: torch.Tensor) -> None:
    if kind == "parameter":
        owner.register_parameter(leaf, nn.Parameter(tensor))
    elif kind in ("buffer", "temporary"):
        owner.register_buffer(leaf, tensor, persistent=kind == "buffer")
    elif kind == "attribute":
        setattr(owner, leaf, tensor)
    else:
        listed = nn.Module()
        listed.weight = nn.Parameter(tensor)
        setattr(owner, leaf, [listed])
