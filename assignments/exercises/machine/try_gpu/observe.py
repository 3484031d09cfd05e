"""Observe `try_gpu` on a machine with as many GPUs as the case says."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any
from unittest import mock

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from exercise_kit.observers import OneCall

_REFUSING = ("mem_get_info", "set_device", "synchronize", "_exchange_device")
_COUNTING = ("device_count", "is_available", "current_accelerator")


class Machine(TorchDispatchMode):
    """A machine with `gpus` GPUs: PyTorch counts so many, and creates no tensor on another one.

    apple: a machine with one GPU from Apple. Its PyTorch is built without CUDA.
    """

    def __init__(self, gpus: int, apple: bool) -> None:
        super().__init__()
        self.gpus, self.apple = gpus, apple

    def patches(self) -> ExitStack:
        """Open patches of the functions that count GPUs, or that use one without a tensor."""
        stack = ExitStack()
        for name in _REFUSING:
            refusing = self._refusing(getattr(torch.cuda, name))
            stack.enter_context(mock.patch.object(torch.cuda, name, refusing))
        counts: list[tuple[Any, int, Any]] = [(torch.cuda, self.gpus, None)]
        if self.apple:
            counts.append((torch.accelerator, 1, torch.device("mps")))
        for module, count, kind in counts:
            answers = zip(_COUNTING, (count, count > 0, kind), strict=True)
            for name, answer in answers:
                if hasattr(module, name):
                    patch = mock.patch.object(module, name, lambda *_, a=answer, **__: a)
                    stack.enter_context(patch)
        return stack

    def refuse(self, device: Any) -> None:
        """Raise PyTorch's error if this is a GPU that the machine does not have."""
        if isinstance(device, int | str):
            device = torch.device(device)
        if device is None or device.type != "cuda" or (device.index or 0) < self.gpus:
            return
        if self.apple:
            raise AssertionError("Torch not compiled with CUDA enabled")
        if not self.gpus:
            raise RuntimeError("No CUDA GPUs are available")
        raise torch.AcceleratorError("CUDA error: invalid device ordinal")

    def _refusing(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(device: Any = None) -> Any:
            self.refuse("cuda" if device is None else device)
            return function(device)

        return called

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        for value in args:  # torch.tensor shows only its result
            self.refuse(value.device if isinstance(value, torch.Tensor) else None)
        self.refuse((kwargs or {}).get("device"))
        return func(*args, **(kwargs or {}))


class TryGpu(OneCall):
    """Facts: those of `OneCall`. `gpus` is no argument, and an `i` of None is left out.

    On a machine from Apple, a result of `mps` counts as the CPU: either is a device that exists.
    """

    gpus = None

    def indices(self, data: Mapping[str, Any]) -> range:
        """The GPUs up to `i`, if the case has such a GPU: an answer may use it."""
        wanted = int(data["i"] or 0) + 1
        return range(wanted if wanted <= data["gpus"] else 0)

    def prepare(self, data: Mapping[str, Any]) -> list[int | None]:
        """The index alone; the machine is kept for the call."""
        self._machine = Machine(data["gpus"], data.get("apple", False))
        return [data["i"]]

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result on that machine."""
        with self._machine.patches(), self._machine:
            result = answer(*(i for i in inputs if i is not None))
        is_apple = isinstance(result, torch.device) and result.type == "mps"
        return torch.device("cpu") if is_apple and self._machine.apple else result


observer = TryGpu("i")
