"""Communicators of NCCL: the card of each rank, and the error if two ranks use the same card.

A group makes a communicator for each card at the first collective (or at once, if
``init_process_group`` got a ``device_id``), and one for each pair of ranks with point-to-point
calls. The ranks wait for each other and exchange their cards through the group's store. Cards are
compared, not their numbers, because each rank can have another CUDA_VISIBLE_DEVICES. Order and
texts follow ``initNCCLComm`` of torch 2.13 and ``init.cc`` of NCCL 2.29.7.
"""

from __future__ import annotations

import os
import platform
from typing import Any

import torch

from ... import errors, runtime


class Communicators:
    """The communicators of one rank in one group."""

    def __init__(self, store: Any, rank: int, size: int) -> None:
        self.rank, self.size = rank, size
        self.used: set[int] = set()  # numbers of cards
        self.eager = False
        self._store = torch.distributed.PrefixStore("cards", store)
        self._made: set[str] = set()
        self._count = 0

    def connect_early(self, device: torch.device) -> None:
        """Make the communicator for the card that the group is bound to, as in ``connect``."""
        self.connect(device)
        self.eager = True

    def connect(self, device: torch.device, bound: torch.device | None = None) -> None:
        """Make the communicator of all ranks for this rank's card, unless there is one.

        Raises DistBackendError if another rank has the same card, or if the group is bound to
        another card.
        """
        key = str(device.index)
        if key not in self._made:
            self._check_bound(device, bound)
            number, self._count = self._count, self._count + 1
            self._meet(str(number), self.rank, list(range(self.size)), device)
            self._made.add(key)

    def connect_pair(
        self, peer: int, device: torch.device, bound: torch.device | None = None
    ) -> None:
        """Make the communicator of two ranks. Raises the errors of ``connect``."""
        if self.eager:  # then sends and receives use the communicator of all ranks
            return self.connect(device, bound)
        pair = sorted({self.rank, peer})
        key = f"{pair[0]}:{pair[-1]}"
        if key not in self._made:
            self._check_bound(device, bound)
            self._meet(key, pair.index(self.rank), pair, device)
            self._made.add(key)
        return None

    def _check_bound(self, device: torch.device, bound: torch.device | None) -> None:
        if bound is not None and bound != device:
            raise torch.distributed.DistBackendError(
                "Attempt to perform collective on tensor not on device passed to init_process_group"
            )
        self.used.add(device.index)

    def _meet(self, key: str, place: int, ranks: list[int], device: torch.device) -> None:
        bus_id = runtime.ready().profile(device.index).bus_id
        card = f"{os.environ.get('NCCL_HOSTID') or platform.node()} {bus_id}"
        self._store.set(f"{key}/{place}", card)
        others = [self._card_of(key, other, ranks) for other in range(len(ranks))]
        for other, its in enumerate(others):
            if other != place and its == card:
                raise errors.duplicate_gpu(place, other, bus_id)

    def _card_of(self, key: str, place: int, ranks: list[int]) -> str:
        try:
            return self._store.get(f"{key}/{place}").decode()
        except Exception as error:  # timeout: torch names the missing rank
            raise torch.distributed.DistBackendError(
                f"[{self.rank}] is setting up NCCL communicator and retrieving ncclUniqueId from "
                f"[{ranks[place]}] via c10d key-value store by key '{key}', but "
                f"store->get('{key}') got error: {error}. This may indicate a possible application "
                f"crash on rank {ranks[place]} or a network set up issue."
            ) from None
