"""The surroundings of an answer in this course: torch, its devices, and perhaps a notebook.

Each function that an answer replaces there, and each setting that it changes, is restored.
"""

import contextlib
import importlib
import operator
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cache
from types import FunctionType
from typing import Any

import numpy
import torch
import torch.utils._device
from torch.overrides import _get_current_function_mode_stack

import virtual_cuda
from course_utils.checking.shell import staying
from course_utils.checking.view import WORDS
from exercise_kit.contract import Finding, Observer
from exercise_kit.world import Replaced, World

_OF_THE_MACHINE = (
    *("not compiled with", "Found no NVIDIA driver"),
    *("max() arg is an empty sequence", "max() iterable argument is empty"),  # since Python 3.12
)

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

_Devices = tuple[list[Any], Any, Any]
"""The active modes, and torch's two variables for the default device."""

_LAZY = (
    "torch._dynamo",  # dispatch modes, optimizers and torch.load import it: 820 modules
    "torch._subclasses.fake_tensor",
    "torch.fx.experimental.symbolic_shapes",
    "torch.nn.parallel",
    "torch.utils._python_dispatch",
    "torch.utils.data",
    "sympy",
)
"""Modules that torch loads at their first use: loaded before the time of an answer is measured."""


@cache
def load_lazy_parts() -> None:
    """Load these modules, once in a process. Checks in lessons and grading begin with this."""
    for name in _LAZY:
        importlib.import_module(name)


class TorchWorld(World):
    """Restores torch's public functions and settings; `exit()` does not end the kernel."""

    words = WORDS

    def ready(self, observer: Observer) -> None:
        """Load torch's late modules and start CUDA, before any time is measured."""
        if not observer.in_processes:  # a program loads them in its own process
            load_lazy_parts()
        if observer.gpus != 0 and torch.cuda.is_available():
            torch.cuda.init()  # so that an answer never depends on whether CUDA had started

    def names(self) -> Mapping[str, Any]:
        """Names that a case may use, in addition to the inputs."""
        from course_utils.devices import current_lab

        return {"torch": torch, "nn": torch.nn, "devices": current_lab()}

    def is_of_the_machine(self, value: Any) -> bool:
        """Whether `value` is a message that differs in a CUDA build or another Python version."""
        return isinstance(value, str) and any(text in value for text in _OF_THE_MACHINE)

    def intact(self) -> Callable[[], AbstractContextManager[None]]:
        """A context that restores torch's functions, and raises Replaced if one was replaced."""
        return TorchSnapshot().kept

    @contextlib.contextmanager
    def unswitched(self) -> Iterator[list[str]]:
        """A context with float32, gradients and GPU 0, and without a default device."""
        # At grading, nobody goes on with the random numbers after an answer.
        numbers = contextlib.nullcontext() if self.remembered else _random_kept()
        with super().unswitched() as left, staying(), numbers, _torch_unswitched(left):
            yield left


class TorchSnapshot:
    """The public functions and classes of torch. A comparison is faster than a new snapshot."""

    def __init__(self) -> None:
        self._note()

    def _note(self) -> None:
        self._enabled = virtual_cuda.is_enabled()
        self._before = {name: vars(owner).copy() for name, owner in _NAMESPACES.items()}

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Restore the functions that the body replaces. Raises Replaced if there are any.

        New names stay: torch imports parts of itself at their first use.
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
                self._before |= {name: vars(_NAMESPACES[name]).copy() for name in changed}
        if replaced:
            raise Replaced(Finding("torch-replaced", f"another {replaced[0]}", "torch's own"))


def _unchanged(namespace: str, old: Mapping[str, Any]) -> bool:
    now = vars(_NAMESPACES[namespace])
    return len(old) == len(now) and all(map(operator.is_, old.values(), now.values()))


def _put_back(namespace: str, old: Mapping[str, Any]) -> Iterator[str]:
    """Restore the replaced functions of a namespace; yields their names."""
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
    if name.startswith("_") or name == "Storage" or now is old:  # Storage follows the default dtype
        return False
    if type(old) is type(now) is FunctionType and old.__code__ is now.__code__:
        return False  # virtual GPUs were enabled again
    if old is _NEW:  # a new name is a replacement only if it hides an inherited one
        return isinstance(owner, type) and any(name in vars(base) for base in owner.__mro__[1:])
    return callable(old) or isinstance(old, classmethod | staticmethod)


@contextlib.contextmanager
def _random_kept() -> Iterator[None]:
    """Restore the learner's random states after the body, which may draw or seed."""
    # torch.manual_seed also seeds the GPUs, as soon as they are in use.
    gpus = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    pythons, numpys = random.getstate(), numpy.random.get_state()
    with torch.random.fork_rng(gpus):
        try:
            yield
        finally:
            random.setstate(pythons)
            numpy.random.set_state(numpys)


@contextlib.contextmanager
def _torch_unswitched(left: list[str]) -> Iterator[None]:
    """Begin without a default device, with float32, gradients and GPU 0; restore the old settings.

    `left` gets the names of the settings that the body has changed for its caller.
    """
    device, dtype, grad = _device_state(), torch.get_default_dtype(), torch.is_grad_enabled()
    current = torch.cuda.current_device() if torch.cuda.is_initialized() else None
    _switch(([], None, None), torch.float32, True, None if current is None else 0)
    try:
        yield
        if _device_state() != ([], None, None):
            left.append(f"the default device: {torch.get_default_device()}")
        if torch.get_default_dtype() != torch.float32:
            left.append(f"the default dtype: {torch.get_default_dtype()}")
        if not torch.is_grad_enabled():
            left.append("gradients off")
        if torch.cuda.is_initialized() and torch.cuda.current_device():
            left.append(f"the current GPU: cuda:{torch.cuda.current_device()}")
    finally:
        if current is None and torch.cuda.is_initialized():  # the body started CUDA
            current = 0
        _switch(device, dtype, grad, current)


def _switch(device: _Devices, dtype: torch.dtype, grad: bool, current: int | None) -> None:
    if _device_state() != device:
        _restore_device_state(*device)
    if torch.get_default_dtype() != dtype:
        torch.set_default_dtype(dtype)
    if torch.is_grad_enabled() != grad:
        torch.set_grad_enabled(grad)
    if current is not None and torch.cuda.current_device() != current:
        torch.cuda.set_device(current)


def _device_state() -> _Devices:
    """The active modes, with those of `with device:`, and torch's state of the default device."""
    context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    return _get_current_function_mode_stack(), torch.utils._device.CURRENT_DEVICE, context


def _restore_device_state(modes: list[Any], current: Any, context: Any) -> None:
    """Restore both: `set_default_device` does not undo a `with device:` that was never left."""
    while torch._C._len_torch_function_stack():
        torch._C._pop_torch_function_stack()
    for mode in modes:
        torch._C._push_on_torch_function_stack(mode)
    torch.utils._device.CURRENT_DEVICE = current
    torch._GLOBAL_DEVICE_CONTEXT.device_context = context
