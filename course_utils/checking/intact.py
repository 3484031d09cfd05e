"""Torch as it was: whatever an answer replaces or switches in torch is put back after it."""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

import virtual_cuda

_NAMESPACES: tuple[Any, ...] = (
    torch, torch.Tensor, torch.cuda, torch.nn, torch.nn.Module, torch.nn.DataParallel,
    torch.nn.functional, torch.optim, torch.utils.data,
)  # fmt: skip
_INHERITED = object()


class TorchReplaced(Exception):
    """An answer put something of its own in the place of a public function or class of torch."""


@contextlib.contextmanager
def torch_unreplaced() -> Iterator[None]:
    """Put public functions and classes of torch back. Raises TorchReplaced if there were any.

    Names that are new stay: torch imports parts of itself when they are first used.
    """
    enabled = virtual_cuda.is_enabled()
    before = [(owner, _public_callables(owner)) for owner in _NAMESPACES]
    try:
        yield
    finally:
        replaced = [] if virtual_cuda.is_enabled() != enabled else _put_back(before)
    if replaced:
        raise TorchReplaced(replaced[0])


def _public_callables(owner: Any) -> dict[str, Any]:
    """What stands in `owner` itself under each of its public names; _INHERITED for a base's."""
    return {
        name: vars(owner).get(name, _INHERITED)
        for name in dir(owner)
        if not name.startswith("_") and name != "Storage"  # it follows the default dtype
        and callable(getattr(owner, name))
    }


def _put_back(before: list[tuple[Any, dict[str, Any]]]) -> list[str]:
    """Undo what changed since `before`, and name it."""
    replaced = []
    for owner, values in before:
        now = vars(owner)
        for name, value in values.items():
            current = now.get(name, _INHERITED)
            # Torch wraps functions of its own, under their names, when it imports its compiler.
            if current is value or getattr(current, "__name__", "") == name:
                continue
            if value is _INHERITED:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
            replaced.append(f"{owner.__name__}.{name}")
    return replaced


@contextlib.contextmanager
def torch_unswitched() -> Iterator[None]:
    """Put back the default device and dtype, whether gradients are kept, and the current GPU."""
    device, dtype = torch.get_default_device(), torch.get_default_dtype()
    grad = torch.is_grad_enabled()
    current = torch.cuda.current_device() if torch.cuda.is_initialized() else None
    try:
        yield
    finally:
        torch.set_default_device(None if device.type == "cpu" else device)
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(grad)
        if current is not None:
            torch.cuda.set_device(current)
