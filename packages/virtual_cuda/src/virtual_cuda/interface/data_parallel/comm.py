"""Copies between several cards at once, and the threads of DataParallel's replicas.

These replace C++ functions of ``torch.cuda.comm``; semantics from ``torch/csrc/cuda/comm.cpp``.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cache, partial
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from ... import runtime
from ...patches import Patches
from ...retag import cpu_alias
from .comm_checks import (
    check_broadcast,
    check_broadcast_out,
    check_gather,
    check_gather_out,
    check_scatter,
    check_scatter_out,
    checked_by,
)


def _cuda(index: int) -> torch.device:
    return torch.device("cuda", index)


def _pieces(tensor: Tensor, count: int, sizes: Sequence[int] | None, dim: int) -> Sequence[Tensor]:
    if sizes is None:
        return tensor.chunk(count, dim)
    return tensor.split_with_sizes(list(sizes), dim)


@checked_by(check_scatter)
def _scatter(
    tensor: Tensor,
    devices: Sequence[int],
    chunk_sizes: Sequence[int] | None = None,
    dim: int = 0,
    streams: Any = None,
) -> tuple[Tensor, ...]:
    pieces = _pieces(tensor, len(devices), chunk_sizes, dim)
    # A small batch has fewer pieces than there are devices.
    return tuple(piece.to(_cuda(index)) for piece, index in zip(pieces, devices, strict=False))


@checked_by(check_scatter_out)
def _scatter_out(
    tensor: Tensor, out: Sequence[Tensor], dim: int = 0, streams: Any = None
) -> tuple[Tensor, ...]:
    sizes = [part.size(dim) for part in out]
    for part, piece in zip(out, _pieces(tensor, len(out), sizes, dim), strict=True):
        part.copy_(piece)
    return tuple(out)


@checked_by(check_gather)
def _gather(tensors: Sequence[Tensor], dim: int, destination: int | None) -> Tensor:
    index = runtime.current_device() if destination is None else destination
    device = torch.device("cpu") if index == -1 else _cuda(index)
    return torch.cat([tensor.to(device) for tensor in tensors], dim)


@checked_by(check_gather_out)
def _gather_out(tensors: Sequence[Tensor], out: Tensor, dim: int) -> Tensor:
    return out.copy_(torch.cat([tensor.to(out.device) for tensor in tensors], dim))


@checked_by(check_broadcast)
def _broadcast(tensor: Tensor, devices: Sequence[int]) -> list[Tensor]:
    return [tensor.to(_cuda(index)) for index in devices]


@checked_by(check_broadcast_out)
def _broadcast_out(tensor: Tensor, out: Sequence[Tensor]) -> list[Tensor]:
    return [part.copy_(tensor) for part in out]


def _broadcast_coalesced(
    tensors: Sequence[Tensor], devices: Sequence[int], buffer_size: int
) -> list[list[Tensor]]:
    """Copies of the tensors for each device. Sparse tensors are copied one by one."""
    dense = [tensor for tensor in tensors if not tensor.is_sparse]
    if len(dense) == len(tensors):
        return _broadcast_dense(tensors, devices, buffer_size)
    copies = _broadcast_dense(dense, devices, buffer_size) if dense else [[] for _ in devices]
    results = [list(tensors)]
    for index, dense_copies in zip(devices[1:], copies[1:], strict=True):
        rest = iter(dense_copies)
        results.append([t.to(_cuda(index)) if t.is_sparse else next(rest) for t in tensors])
    return results


def _broadcast_dense(
    tensors: Sequence[Tensor], devices: Sequence[int], buffer_size: int
) -> list[list[Tensor]]:
    first = devices[0]
    if any(tensor.get_device() != first for tensor in tensors):
        raise RuntimeError(f"All tensors must be on devices[0]: {first}")
    state = runtime.ready()
    source, *targets = map(state.card, devices)
    copies = []
    with state.clock.at_once("broadcast_coalesced", tensors):
        contents = [cpu_alias(tensor) for tensor in tensors]
        for target in targets:
            copies.append([target.place(content.clone()) for content in contents])
            nbytes = sum(content.nbytes for content in contents)
            for begin in range(0, nbytes, buffer_size):  # one copy for each full buffer
                source.clock.copy_to(target.clock, min(buffer_size, nbytes - begin))
    return [list(tensors), *copies]


_Work = tuple[Callable[[], None], "Future[None]"]


@cache
def _replicas() -> SimpleQueue[_Work]:
    """The queue of the thread that runs replicas.

    The thread does not use ``threading``, so code that watches new threads does not see it.
    Otherwise it would see the first call in a replica and no later one.
    """
    waiting: SimpleQueue[_Work] = SimpleQueue()
    _thread.start_new_thread(_serve, (waiting,))
    return waiting


class _Here(threading.local):
    is_replica = False


_here = _Here()


def _serve(waiting: SimpleQueue[_Work]) -> None:
    _here.is_replica = True
    while True:
        _do(*waiting.get())  # keeps no reference while it waits for the next


def _do(work: Callable[[], None], done: Future[None]) -> None:
    try:
        work()
    except BaseException as error:  # raised in the thread that waits for the result
        done.set_exception(error)
    else:
        done.set_result(None)


class _OneAfterAnother:
    """Replaces the threads of replicas: ``start`` runs the whole work.

    So the clock always gets the replicas' work in the same order, and their printed lines do not
    mix. As on real GPUs the work runs in another thread, with that thread's settings. The thread is
    reused, because the CPU's libraries need milliseconds to set up a thread.
    """

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...] = ()) -> None:
        self._target = target
        self._args = args

    def start(self) -> None:
        if _here.is_replica:  # a DataParallel in a replica
            self._target(*self._args)
        else:
            done: Future[None] = Future()
            _replicas().put((partial(self._run, torch.get_num_threads()), done))
            done.result()

    def _run(self, cpu_threads: int) -> None:
        if torch.get_num_threads() != cpu_threads:  # OpenMP keeps this number per thread
            torch.set_num_threads(cpu_threads)
        self._target(*self._args)

    def join(self) -> None:
        """Return at once: the work is done."""


def patch(patches: Patches) -> None:
    """Install these functions for ``torch.nn.parallel.comm``."""
    patches.set(
        torch._C,
        _scatter=_scatter,
        _scatter_out=_scatter_out,
        _gather=_gather,
        _gather_out=_gather_out,
        _broadcast=_broadcast,
        _broadcast_out=_broadcast_out,
        _broadcast_coalesced=_broadcast_coalesced,
    )
    replicas = sys.modules["torch.nn.parallel.parallel_apply"]
    patches.set(replicas, threading=SimpleNamespace(Thread=_OneAfterAnother, Lock=threading.Lock))
    patches.set(torch.cuda.nccl, is_available=lambda tensors: False)  # avoids a warning
