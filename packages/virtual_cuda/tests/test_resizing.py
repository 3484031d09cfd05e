"""Tensors and storages that change their size in place, and ``out=`` in the middle of one."""

from __future__ import annotations

import gc
import itertools
import math
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

import virtual_cuda

CARD = "cuda:1"


@pytest.mark.parametrize(
    ("size", "memory_format"),
    [
        *itertools.product(
            [(3, 2), (2, 3), (4, 3), (0,), (1,), (2, 3, 4, 4)], [None, torch.contiguous_format]
        ),
        ((2, 3, 4, 4), torch.channels_last),
    ],
)
def test_as_on_the_cpu(size, memory_format):
    seen = []
    for device in ("cpu", CARD):
        x = torch.arange(6.0, device=device).view(2, 3).t()
        x + 1  # which may remember things about x
        x.resize_(size, memory_format=memory_format)
        values = x.as_strided((min(6, math.prod(size)),), (1,)).tolist()
        seen.append((x.shape, x.stride(), x.untyped_storage().nbytes(), values))
    assert seen[0] == seen[1]


def test_the_format_is_followed():
    x = torch.empty(2, 3, 4, 4, device=CARD)
    x.resize_(x.shape, memory_format=torch.channels_last)
    assert x.is_contiguous(memory_format=torch.channels_last)
    y = torch.empty(0, device=CARD).resize_as_(x, memory_format=torch.preserve_format)
    assert y.stride() == x.stride()
    with pytest.raises(RuntimeError, match="Unsupported memory format"):
        x.resize_(1, memory_format=torch.preserve_format)


def test_views_follow_a_storage_that_grows():
    x = torch.arange(6.0, device=CARD).view(2, 3)
    row = x[1]
    x + row
    x.resize_(4, 3)[2:] = 7
    row += 1
    assert x.tolist() == [[0, 1, 2], [4, 5, 6], [7, 7, 7], [7, 7, 7]]
    assert row.untyped_storage().nbytes() == 48 and row.data_ptr() == x.data_ptr() + 12


def test_a_storage_that_is_given_up_and_taken_again():
    before = torch.cuda.memory_allocated(CARD)
    x = torch.arange(1000.0, device=CARD)
    parameter = nn.Parameter(x[:5])
    assert (parameter + 1).tolist() == [1, 2, 3, 4, 5]
    storage = x.untyped_storage()
    storage.resize_(0)
    gc.collect()
    assert (storage.nbytes(), torch.cuda.memory_allocated(CARD) - before) == (0, 0)
    storage.resize_(4000)
    assert torch.cuda.memory_allocated(CARD) - before == 4096
    x.fill_(3)
    assert (parameter + 1).tolist() == [4] * 5 and (x + 1).sum() == 4000
    storage.resize_(8000)  # what was there stays
    assert x.sum() == 3000
    with pytest.raises(torch.OutOfMemoryError):
        storage.resize_(3 << 30)
    assert x.sum() == 3000 and storage.nbytes() == 8000
    del x, storage, parameter
    gc.collect()
    assert torch.cuda.memory_allocated(CARD) == before


@pytest.mark.parametrize("repetition", range(3))
def test_threads_go_on_while_a_storage_is_given_up(no_machine, repetition):
    """Each is in the middle of a tuple, and computes what comes next."""
    virtual_cuda.enable(1, quiet=True)
    large_program = [[k] for k in range(300_000)]  # as much as there is to look through
    shard = torch.ones(100, device="cuda")
    starts = [torch.full((3,), float(i), device="cuda") for i in range(4)]
    gate, is_done = threading.Barrier(len(starts) + 1, timeout=60), threading.Event()

    def values(start: torch.Tensor) -> Iterator[float]:
        gate.wait()
        for k in itertools.count():
            yield (start + k).sum().item()
            if is_done.is_set():
                return

    with ThreadPoolExecutor(len(starts)) as pool:
        found = [pool.submit(tuple, values(start)) for start in starts]
        try:
            gate.wait()
            for size in (0, 400, 0, 800):
                shard.untyped_storage().resize_(size)
        finally:
            is_done.set()
    assert shard.fill_(2).sum() == 200 and large_program
    for i, of_a_thread in enumerate(found):
        got = of_a_thread.result()
        assert got == tuple(3.0 * (i + k) for k in range(len(got)))


def test_tensors_that_the_collector_does_not_see_follow_a_storage(no_machine):
    virtual_cuda.enable(1, quiet=True)
    x = torch.ones(3, device="cuda")
    x + 1  # which may remember things about x
    gc.freeze()
    x.untyped_storage().resize_(0)
    x.untyped_storage().resize_(12)
    x.copy_(torch.full((3,), 7.0))
    assert x[:].tolist() == (x + 0).tolist() == [7, 7, 7]


def test_out_in_the_middle_of_a_storage_stays_there():
    before = torch.cuda.memory_allocated(CARD)
    whole = torch.zeros(6, device=CARD)
    part, source = whole[2:4], torch.ones(2, device=CARD)
    torch.mul(source, 3, out=part)
    assert part.untyped_storage()._cdata == whole.untyped_storage()._cdata
    assert part.storage_offset() == 2 and whole.tolist() == [0, 0, 3, 3, 0, 0]
    torch.cuda.synchronize()
    assert torch.cuda.memory_allocated(CARD) - before == 2 * 512


def test_strides_that_do_not_fit():
    """As ``empty_strided`` and ``empty`` say it on every device."""
    for create in (
        lambda device: torch.empty_strided((2, 3), (1,), device=device),
        lambda device: torch.empty_strided((2, 3), (-1, 1), device=device),
        lambda device: torch.empty_strided((2**31, 2**31, 4), (2**33, 4, 1), device=device),
        lambda device: torch.empty((2**40, 2**40), device=device),
        lambda device: torch.empty((2, -1), device=device),
        lambda device: torch.ones(5, device=device).new_empty_strided((5, 3), (1,)),
    ):
        texts = []
        for device in ("cpu", CARD):
            with pytest.raises(RuntimeError) as caught:
                create(device)
            texts.append(str(caught.value))
        assert texts[0] == texts[1]
    with pytest.raises(torch.OutOfMemoryError, match="more than 1EB"):
        torch.empty_strided((2, 2), (1 << 59, 1), device=CARD)
