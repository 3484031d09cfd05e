"""Counts of copies between devices, the same on real and virtual GPUs."""

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

from virtual_cuda import copies_noted

Route = tuple[str, str]
_aten = torch.ops.aten


@dataclass
class Copies:
    """Copies from one device to another.

    ``by_route`` counts copies, ``bytes_by_route`` the bytes read at the source; their keys are the
    names of source and target, such as ``("cpu", "cuda:1")``. ``numbers_read`` counts single
    numbers that were fetched from a GPU, as by ``item()``; these are not copies of a tensor.
    """

    by_route: Counter[Route] = field(default_factory=Counter)
    bytes_by_route: Counter[Route] = field(default_factory=Counter)
    numbers_read: int = 0

    @property
    def total(self) -> int:
        """The number of copies on all routes."""
        return self.by_route.total()

    def _note(self, source: Tensor, target: Tensor | None) -> None:
        if target is None:
            self.numbers_read += source.is_cuda
        elif source.device != target.device:
            route = (str(source.device), str(target.device))
            self.by_route[route] += 1
            self.bytes_by_route[route] += source.numel() * source.element_size()


class _CopyWatch(TorchDispatchMode):
    """Counts copies in every operator below autograd, so also inside composite operators.

    threads: the threads that have such a mode, by identifier; a thread of autograd only during an
    operator.
    """

    def __init__(self, copies: Copies, threads: Counter[int]) -> None:
        super().__init__()
        self._copies, self._threads = copies, threads

    @contextmanager
    def seeing(self) -> Iterator[None]:
        here = threading.get_ident()
        self._threads[here] += 1
        try:
            yield
        finally:
            self._threads[here] -= 1

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
        with self.seeing():
            result = func(*args, **kwargs)
        if func is _aten._to_copy.default:
            self._copies._note(args[0], result)
        elif func is _aten.copy_.default:
            self._copies._note(args[1], args[0])
        elif func is _aten._foreach_copy_.default:
            for target, source in zip(args[0], args[1], strict=True):
                self._copies._note(source, target)
        elif func is _aten._local_scalar_dense.default:
            self._copies._note(args[0], None)
        return result


@contextmanager
def count_copies() -> Iterator[Copies]:
    """Count the copies between devices that a block of code makes.

    Counted: ``to``, ``cuda``, ``cpu``, ``copy_`` and functions built on them, such as ``tolist()``,
    in this thread, in threads started meanwhile, in backward passes, and on virtual GPUs in any
    thread.
    Not counted, on real and virtual GPUs: ``torch.tensor(data, device="cuda")`` (its copy is
    internal to the constructor), an index on the CPU into a CUDA tensor, and the reads of
    ``print``, ``nonzero`` and a mask as an index.

        with count_copies() as copies:
            x.to("cuda:1")
        copies.total, copies.by_route  # 1, {("cpu", "cuda:1"): 1}
    """
    copies, seen = Copies(), Counter[int]()
    begin = threading.Thread._bootstrap_inner  # type: ignore[attr-defined]

    def watched(thread: threading.Thread) -> None:
        watch = _CopyWatch(copies, seen)
        with watch.seeing(), watch:
            begin(thread)

    def elsewhere(source: Tensor, target: Tensor | None) -> None:
        if not seen[threading.get_ident()]:
            copies._note(source, target)

    watch = _CopyWatch(copies, seen)
    starting = mock.patch.object(threading.Thread, "_bootstrap_inner", watched)
    with copies_noted(elsewhere), starting, watch.seeing(), watch:
        yield copies
