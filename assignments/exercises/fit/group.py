"""`one_of`: this process as a rank of a group whose other ranks do not exist."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore


@contextmanager
def one_of(ranks: int) -> Iterator[None]:
    """A block in which this process is rank 0 of a group of `ranks`.

    Collectives return at once and exchange nothing. So the memory is that of a real rank; results
    after a collective are arbitrary. DDP does not work in such a group.
    """
    excepthook = sys.excepthook
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=ranks)
    try:
        yield
    finally:
        dist.destroy_process_group()
        sys.excepthook = excepthook  # torch puts its own around it for each group
