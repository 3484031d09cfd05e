"""The worlds in which programs are run, and what each gives them as devices."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch

VIRTUAL_DEVICES = 4


def _nothing(device_count: int) -> None:
    """Nothing to switch on."""


def _virtual(device_count: int) -> None:
    import virtual_cuda

    virtual_cuda.enable(device_count=device_count, lost_contexts=True, quiet=True)


def _fake() -> AbstractContextManager[object]:
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode(allow_non_fake_inputs=True)


@dataclass(frozen=True)
class World:
    """A way to run programs that ask for GPUs.

    ``has_cuda``: torch.cuda works. ``around`` gives the context in which one program runs.
    """

    shows: str
    device_type: str
    has_cuda: bool
    switch_on: Callable[[int], None] = _nothing
    around: Callable[[], AbstractContextManager[object]] = nullcontext

    def devices(self, count: int) -> list[torch.device]:
        if self.device_type == "cpu":
            return [torch.device("cpu")] * count
        return [torch.device(self.device_type, index) for index in range(count)]


WORLDS = {
    "cuda": World("real CUDA", "cuda", has_cuda=True),
    "virtual": World("virtual CUDA", "cuda", has_cuda=True, switch_on=_virtual),
    "cpu": World('plain CPU fallback ("cuda" if available else "cpu")', "cpu", has_cuda=False),
    "fake": World("FakeTensorMode", "cuda", has_cuda=False, around=_fake),
}


def start_alike(has_cuda: bool, device_count: int) -> None:
    """Bring a process that ran other programs back to a known state."""
    torch.set_default_device(None)
    torch.set_default_dtype(torch.float32)
    gc.collect()
    gc.freeze()  # what is left stays; later collections look at new objects only
    torch.manual_seed(0)
    if not has_cuda:
        return
    torch.cuda.set_device(0)
    torch.cuda.set_stream(torch.cuda.default_stream())  # a capture that fails leaves its own on
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    for index in range(device_count):
        torch.cuda.reset_peak_memory_stats(index)
