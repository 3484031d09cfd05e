"""The second memory: the content of the cards if work ran in another allowed order.

Programs see the results of eager execution. In addition, each storage used by work of ``races`` has
a block here, into which late work writes late. If a stream frees memory that another stream still
uses, without ``record_stream``, the next new tensor of the first stream gets this block.
"""

from __future__ import annotations

import ctypes
import weakref
from collections import defaultdict
from collections.abc import Iterator
from typing import Protocol

import torch
from torch import Tensor, UntypedStorage

from ..retag import lender, new_on_card
from ..timing.clock import Lane
from .segments import SMALL_REQUEST

UNWRITTEN = 0xFF  # every byte of memory that was not written yet: NaN, -1, True


Suspect = tuple[int, tuple[str, str]]
"""The number of the late work, its title, and the title of the work that did not wait for it."""


class User(Protocol):
    """Work that has not run yet."""

    lane: Lane
    number: int
    order: int
    title: str


class Block:
    """The bytes of a storage, and the work that will use them.

    ``users``: work → whether it writes. ``suspect``: why the content may differ from eager
    execution.
    """

    __slots__ = ("content", "suspect", "users")

    def __init__(self, nbytes: int) -> None:
        self.content = torch.empty(nbytes, dtype=torch.uint8, device="cpu")
        self.users: dict[User, bool] = {}
        self.suspect: Suspect | None = None

    @property
    def is_written_later(self) -> bool:
        """Whether work that has not run yet writes it."""
        return any(self.users.values())


class _Owner:
    """A storage, the stream that gets its freed memory, and the streams to wait for."""

    __slots__ = ("lane", "recorded", "storage")

    def __init__(self, storage: weakref.ref[UntypedStorage], lane: Lane | None) -> None:
        self.storage = storage
        self.lane = lane
        self.recorded: set[Lane] = set()


def storage_of(tensor: Tensor) -> UntypedStorage:
    """The storage of a card's tensor, also of a tensor that is lent to the CPU."""
    return lender(tensor) or tensor.untyped_storage()


class Shadows:
    """The blocks of all used memory, by address, because storages can share an address."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._owners: dict[int, _Owner] = {}
        self._given_back: defaultdict[Lane, list[Block]] = defaultdict(list)

    def block_of(self, storage: UntypedStorage) -> Block:
        """The block of a storage. A new one starts with the content that the program sees."""
        address, nbytes = storage.data_ptr(), storage.nbytes()
        self._watch(storage, None)
        block = self._blocks.get(address)
        if block is None or block.content.numel() < nbytes:
            block = Block(nbytes)
            if nbytes:
                self._blocks[address] = block
                ctypes.memmove(block.content.data_ptr(), address, nbytes)
        return block

    def born(self, tensor: Tensor, lane: Lane, is_written: bool) -> None:
        """Give a new tensor of a stream its block: freed memory, or a new block.

        ``is_written``: later work fills it.
        """
        storage = tensor.untyped_storage()
        address, nbytes = storage.data_ptr(), storage.nbytes()
        if not nbytes:
            return
        self._watch(storage, lane)
        block = self._take(lane, nbytes)
        if block is None and is_written:
            block = Block(nbytes)
            block.content.fill_(UNWRITTEN)
        if block is not None:
            self._blocks[address] = block

    def view(self, tensor: Tensor) -> Tensor:
        """A CPU tensor over the same part of the block as a tensor is of its storage."""
        return _as_lazy(self._bits(tensor), tensor)

    def double(self, tensor: Tensor) -> Tensor:
        """As ``view``, but a tensor of the card."""
        bits = self._bits(tensor)
        return _as_lazy(new_on_card(bits, tensor.get_device(), bits.nbytes), tensor)

    def _bits(self, tensor: Tensor) -> Tensor:
        storage = storage_of(tensor)
        first = tensor.storage_offset()
        if not tensor.is_cuda:  # a lent tensor can begin anywhere in the storage
            first = (tensor.data_ptr() - storage.data_ptr()) // tensor.element_size()
        content = self.block_of(storage).content.untyped_storage()
        empty = torch.empty(0, dtype=tensor.dtype, device="cpu")
        return empty.set_(content, first, tensor.size(), tensor.stride())

    def recorded(self, tensor: Tensor, lane: Lane) -> None:
        """Make the memory of a tensor wait for one more stream when it is freed."""
        storage = tensor.untyped_storage()
        self._watch(storage, None)
        if (owner := self._owners.get(storage.data_ptr())) is not None:
            owner.recorded.add(lane)

    def living(self) -> Iterator[tuple[UntypedStorage, Block]]:
        """All live storages with a block."""
        for address, block in list(self._blocks.items()):
            storage = self._owners[address].storage()
            if storage is not None and storage.data_ptr() == address:
                yield storage, block

    def publish(self, storage: UntypedStorage) -> None:
        """Copy a storage's block into the program's memory, and delete it."""
        block = self._blocks.pop(storage.data_ptr(), None)
        if block is not None:
            nbytes = min(storage.nbytes(), block.content.numel())
            ctypes.memmove(storage.data_ptr(), block.content.data_ptr(), nbytes)

    def _watch(self, storage: UntypedStorage, lane: Lane | None) -> None:
        """Watch for the free of a storage, whose memory then goes to ``lane``."""
        address = storage.data_ptr()
        owner = self._owners.get(address)
        if owner is not None:
            known = owner.storage()
            if known is storage or (known is not None and known.data_ptr() == address):
                return
        self._blocks.pop(address, None)  # of a storage that has other memory now
        if address:
            ended = weakref.ref(storage, lambda ended: self._free(address, ended))
            self._owners[address] = _Owner(ended, lane)

    def _free(self, address: int, ended: object) -> None:
        """Make freed memory available to its stream. Backward records the streams itself."""
        if self._owners[address].storage is not ended:
            return
        owner, block = self._owners.pop(address), self._blocks.pop(address, None)
        if block is None or owner.lane is None or torch._C._current_graph_task_id() >= 0:
            return
        known = owner.lane.snapshot()
        others = {
            user.lane
            for user in block.users
            if user.lane is not owner.lane and known.get(user.lane, 0) < user.number
        }
        if others and not others & owner.recorded:
            self._given_back[owner.lane].append(block)

    def _take(self, lane: Lane, nbytes: int) -> Block | None:
        blocks = [block for block in self._given_back.pop(lane, ()) if block.users]
        found = None
        for block in blocks:
            size = block.content.numel()
            alike = (size <= SMALL_REQUEST) == (nbytes <= SMALL_REQUEST)
            if found is None and 0 < nbytes <= size and alike:
                found = block
            else:
                self._given_back[lane].append(block)
        return found


def _as_lazy(bits: Tensor, tensor: Tensor) -> Tensor:
    """The bits, conjugated and negated as ``tensor`` is."""
    bits = torch._conj(bits) if tensor.is_conj() else bits
    return torch._neg_view(bits) if tensor.is_neg() else bits
