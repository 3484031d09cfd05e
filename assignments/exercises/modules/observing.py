"""What the observers of this topic share: modules made from data, and places as facts."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import torch
from torch import nn

Entry = Mapping[str, Any]


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


def places(module: nn.Module) -> list[list[str]]:
    """Name and device of every parameter, then of every buffer."""
    tensors = chain(module.named_parameters(), module.named_buffers())
    return [[name, str(tensor.device)] for name, tensor in tensors]


def raised_text(error: BaseException) -> str:
    """An exception as a fact, such as `RuntimeError: Expected all tensors …`."""
    return f"{type(error).__name__}: {str(error)[:2000]}"
