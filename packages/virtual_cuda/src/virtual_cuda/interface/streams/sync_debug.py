"""``torch.cuda.set_sync_debug_mode``: a warning or an error when the host waits for a card."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import torch
from torch import Tensor

from ...capturing import forbid_waiting, here
from ...kernels.boxed import BoxedKernel, Kernel, operator
from ...kernels.specialise import operators_of
from ...patches import Patches
from ...retag import device_behind
from ...timing import costs

_TEXT = "called a synchronizing CUDA operation"  # c10/cuda/CUDAFunctions.cpp
_IGNORE, _WARN, _ERROR = 0, 1, 2
_COPIES = ("copy_", "_to_copy")
_INDEXING = ("index.Tensor", "_index_put_impl_")
_MASKS = (torch.bool, torch.uint8)
_HERE = str(Path(__file__).parents[2])

_mode = _IGNORE


def _report() -> None:
    if _mode == _ERROR:
        raise RuntimeError(_TEXT)
    if _mode == _WARN:
        warnings.warn(_TEXT, UserWarning, stacklevel=_outside())


def _outside() -> int:
    """The stack level of the innermost frame outside this package."""
    frame: FrameType | None = sys._getframe(1)
    level = 1
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, level = frame.f_back, level + 1
    return level


def _always(kernel: Kernel) -> Kernel:
    @functools.wraps(kernel, updated=())
    def watched(*args: object, **kwargs: object) -> object:
        if _mode and kwargs.get("output_size") is None:  # else the host knows the output's size
            _report()
        return kernel(*args, **kwargs)

    return watched


def _is_blocking(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Whether a copy crosses the bus and makes the host wait."""
    if kwargs.get("non_blocking") or (name == "copy_" and len(args) > 2 and args[2]):
        return False
    other = args[1] if name == "copy_" else kwargs.get("device")
    if isinstance(other, Tensor):
        other = device_behind(other)
    first = args[0]
    assert isinstance(first, Tensor)
    return isinstance(other, torch.device) and "cpu" in (other.type, device_behind(first).type)


def _if_blocking(name: str, kernel: Kernel) -> Kernel:
    @functools.wraps(kernel)
    def watched(*args: object, **kwargs: object) -> object:
        if _mode and _is_blocking(name, args, kwargs):
            _report()
        return kernel(*args, **kwargs)

    return watched


def _if_indexed(kernel: Kernel) -> Kernel:
    """A kernel that reports if the host must count a mask, or copy an index list to the card."""

    @functools.wraps(kernel, updated=())
    def watched(
        self: Tensor, indices: Sequence[Tensor | None], *args: object, **kwargs: object
    ) -> object:
        if _mode or here() is not None:
            value = args[0] if args else None
            # A number on the host is filled in by the mask without counting.
            filled = isinstance(value, Tensor) and value.is_cpu and value.dim() == 0
            for index in indices:
                if index is None:
                    continue
                if index.is_cpu or (index.dtype in _MASKS and not filled):
                    forbid_waiting()
                    _report()
        return kernel(self, indices, *args, **kwargs)

    return watched


def watch(special: dict[str, Kernel]) -> dict[str, Kernel]:
    """The special kernels; those that synchronise check the mode first."""
    names = (name for name in operators_of("CPU") if "out" not in name)
    waiting = [name for name in names if name.partition(".")[0] in costs.SYNCHRONISING]
    watched = {name: _always(special.get(name) or BoxedKernel(operator(name))) for name in waiting}
    watched |= {name: _if_blocking(name, special[name]) for name in _COPIES}
    watched |= {name: _if_indexed(BoxedKernel(operator(name))) for name in _INDEXING}
    return special | watched


def _set_mode(mode: int) -> None:
    global _mode
    if mode not in (_IGNORE, _WARN, _ERROR):
        raise RuntimeError("invalid value of debug_mode, expected one of 0,1,2")
    _mode = mode


def patch(patches: Patches) -> None:
    """Install the mode for ``torch.cuda``. It starts as "default", without reports."""
    _set_mode(_IGNORE)
    patches.set(
        torch._C,
        _cuda_set_sync_debug_mode=_set_mode,
        _cuda_get_sync_debug_mode=lambda: _mode,
    )
