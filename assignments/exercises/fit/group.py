"""Process groups inside one process."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore


@contextmanager
def one_of(ranks: int) -> Iterator[None]:
    """A block in which this process is rank 0 of a group of `ranks` that do not exist.

    Collectives return at once and exchange nothing. So the memory is that of a real rank; results
    after a collective are arbitrary. DDP does not work in such a group.
    """
    with _group("fake", store=FakeStore(), world_size=ranks):
        yield


@contextmanager
def group_of_one() -> Iterator[None]:
    """A block in which this process is a group, on its current GPU, with right results."""
    with _group("nccl", store=dist.HashStore(), world_size=1):
        yield


@contextmanager
def _group(backend: str, **options: Any) -> Iterator[None]:
    excepthook = sys.excepthook
    dist.init_process_group(backend, rank=0, **options)
    try:
        yield
    finally:
        dist.destroy_process_group()
        sys.excepthook = excepthook  # torch puts its own around it for each group
