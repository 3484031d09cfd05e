"""The process as it was: whatever an answer replaces or switches is put back after it."""

import contextlib
import operator
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import torch
import torch.utils._device
from torch.overrides import _get_current_function_mode_stack

import virtual_cuda

_NAMESPACES: Mapping[str, Any] = {
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.cuda": torch.cuda,
    "torch.nn": torch.nn,
    "torch.nn.Module": torch.nn.Module,
    "torch.nn.DataParallel": torch.nn.DataParallel,
    "torch.nn.functional": torch.nn.functional,
    "torch.optim": torch.optim,
    "torch.utils.data": torch.utils.data,
}

_NEW = object()


class TorchReplaced(Exception):
    """An answer put something of its own in the place of a public function or class of torch."""


class TorchAsItIs:
    """Remembers the public functions and classes of torch; a snapshot takes longer than a look."""

    def __init__(self) -> None:
        self._note()

    def _note(self) -> None:
        self._enabled = virtual_cuda.is_enabled()
        self._before = {name: dict(vars(owner)) for name, owner in _NAMESPACES.items()}

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Put back what the body replaces. Raises TorchReplaced if it replaced anything.

        Names that are new stay: torch imports parts of itself when they are first used.
        """
        if virtual_cuda.is_enabled() != self._enabled:
            self._note()
        try:
            yield
        finally:
            changed = [name for name, old in self._before.items() if not _unchanged(name, old)]
            replaced: list[str] = []
            if changed and virtual_cuda.is_enabled() == self._enabled:
                replaced = [
                    where for name in changed for where in _put_back(name, self._before[name])
                ]
                self._before |= {name: dict(vars(_NAMESPACES[name])) for name in changed}
        if replaced:
            raise TorchReplaced(replaced[0])


def _unchanged(namespace: str, old: Mapping[str, Any]) -> bool:
    now = vars(_NAMESPACES[namespace])
    return len(old) == len(now) and all(map(operator.is_, old.values(), now.values()))


def _put_back(namespace: str, old: Mapping[str, Any]) -> Iterator[str]:
    """Undo what was replaced in a namespace, and name it."""
    owner = _NAMESPACES[namespace]
    for name in [*old, *(name for name in vars(owner) if name not in old)]:
        if not _is_replaced(owner, name, old.get(name, _NEW), vars(owner).get(name, _NEW)):
            continue
        if name in old:
            setattr(owner, name, old[name])
        else:
            delattr(owner, name)
        yield f"{namespace}.{name}"


def _is_replaced(owner: Any, name: str, old: Any, now: Any) -> bool:
    if name.startswith("_") or name == "Storage" or now is old:  # it follows the default dtype
        return False
    # Torch wraps functions of its own, under their names, when it imports its compiler.
    if getattr(now, "__name__", "") == name:
        return False
    if old is _NEW:  # only what hides something inherited is a replacement
        return isinstance(owner, type) and any(name in vars(base) for base in owner.__mro__[1:])
    return callable(old) or isinstance(old, classmethod | staticmethod)


@contextlib.contextmanager
def unswitched() -> Iterator[None]:
    """Put back what is switched process-wide.

    That is torch's default device and dtype, whether gradients are kept, the current GPU, the
    environment variables, the working folder and the limit of recursion.
    """
    device, dtype, grad = _device_state(), torch.get_default_dtype(), torch.is_grad_enabled()
    current = torch.cuda.current_device() if torch.cuda.is_initialized() else None
    environment, folder, depth = _environment(), _folder(), sys.getrecursionlimit()
    try:
        yield
    finally:
        if _device_state() != device:
            _restore_device_state(*device)
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(grad)
        if current is not None:
            torch.cuda.set_device(current)
        if environment != _environment():
            os.environ.clear()
            os.environ.update({os.fsdecode(k): os.fsdecode(v) for k, v in environment.items()})
        if folder is not None and _folder() != folder:
            with contextlib.suppress(OSError):  # it may be gone for good
                os.chdir(folder)
        sys.setrecursionlimit(depth)


def _device_state() -> tuple[list[Any], Any, Any]:
    """The modes in force, `with device:` among them, and what torch notes of the default device."""
    context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    return _get_current_function_mode_stack(), torch.utils._device.CURRENT_DEVICE, context


def _restore_device_state(modes: list[Any], current: Any, context: Any) -> None:
    """`set_default_device` cannot: it does not undo a `with device:` that was never left."""
    while torch._C._len_torch_function_stack():
        torch._C._pop_torch_function_stack()
    for mode in modes:
        torch._C._push_on_torch_function_stack(mode)
    torch.utils._device.CURRENT_DEVICE = current
    torch._GLOBAL_DEVICE_CONTEXT.device_context = context


def _environment() -> dict[Any, Any]:
    """The variables, undecoded: to read each as a string takes fifty times as long."""
    return dict(os.environ._data)  # type: ignore[attr-defined]


def _folder() -> str | None:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return None
