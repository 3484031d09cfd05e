"""Counting copies between devices, on real and on virtual GPUs alike."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

Route = tuple[str, str]
_aten = torch.ops.aten


@dataclass
class Copies:
    """What was copied from one device to another.

    ``by_route`` counts copies, ``bytes_by_route`` the bytes read at the source; both are keyed by
    the names of source and target, such as ``("cpu", "cuda:1")``. ``numbers_read`` counts the
    single numbers that were fetched from a GPU, by ``item()`` and its like: no copy of a tensor.
    """

    by_route: Counter[Route] = field(default_factory=Counter)
    bytes_by_route: Counter[Route] = field(default_factory=Counter)
    numbers_read: int = 0

    @property
    def total(self) -> int:
        """Number of copies on all routes."""
        return self.by_route.total()

    @property
    def total_bytes(self) -> int:
        """Bytes copied on all routes."""
        return self.bytes_by_route.total()

    def _note(self, source: Tensor, target: Tensor) -> None:
        if source.device != target.device:
            route = (str(source.device), str(target.device))
            self.by_route[route] += 1
            self.bytes_by_route[route] += source.numel() * source.element_size()


class _CopyWatch(TorchDispatchMode):
    """Sees every operator below autograd, so also the copies inside composite operators."""

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self._copies = copies

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if torch.is_inference_mode_enabled():  # composite operators arrive whole, `to` among them
            with self:
                parts = func.decompose(*args, **kwargs)
            if parts is not NotImplemented:
                return parts
        result = func(*args, **kwargs)
        if func is _aten._to_copy.default:
            self._copies._note(args[0], result)
        elif func is _aten.copy_.default:
            self._copies._note(args[1], args[0])
        elif func is _aten._foreach_copy_.default:
            for target, source in zip(args[0], args[1], strict=True):
                self._copies._note(source, target)
        elif func is _aten._local_scalar_dense.default:
            self._copies.numbers_read += args[0].is_cuda
        return result


@contextmanager
def count_copies() -> Iterator[Copies]:
    """Count the copies between devices that a block of code makes.

    Seen: ``to``, ``cuda``, ``cpu``, ``copy_`` and all that is built on them, as ``tolist()`` is, in
    this thread, in those that are started meanwhile, and in backward passes.
    Not seen, on real and virtual GPUs alike: ``torch.tensor(data, device="cuda")`` (its copy is
    internal to the constructor), an index on the CPU into a CUDA tensor, what ``print``,
    ``nonzero`` and a mask as an index fetch, and copies made by threads that were there before.

        with count_copies() as copies:
            x.to("cuda:1")
        copies.total, copies.by_route  # 1, {("cpu", "cuda:1"): 1}
    """
    copies, begin = Copies(), threading.Thread._bootstrap_inner  # type: ignore[attr-defined]

    def watched(thread: threading.Thread) -> None:
        with _CopyWatch(copies):
            begin(thread)

    with mock.patch.object(threading.Thread, "_bootstrap_inner", watched), _CopyWatch(copies):
        yield copies
