"""What the memory of the cards would hold if work ran in another order that is allowed.

Programs see what eager execution gives. Beside it, each storage that work of ``races`` uses has a
block of its own, in which late work writes late. Memory that a stream gives back while another one
still uses it, without ``record_stream``, is the block of what the first stream makes next.
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

UNWRITTEN = 0xFF  # every byte of memory that nothing has written yet: NaN, -1, True


Suspect = tuple[int, tuple[str, str]]
"""Which work came late, its title, and that of what did not wait for it."""


class User(Protocol):
    """A piece of work that has not run yet."""

    lane: Lane
    number: int
    order: int
    title: str


class Block:
    """The bytes of a storage, and the work that will use them.

    ``users``: with whether they write. ``suspect``: why the content may not be eager execution's.
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
    """A storage, the stream that its memory goes back to, and those that it waits for then."""

    __slots__ = ("lane", "recorded", "storage")

    def __init__(self, storage: weakref.ref[UntypedStorage], lane: Lane | None) -> None:
        self.storage = storage
        self.lane = lane
        self.recorded: set[Lane] = set()


def storage_of(tensor: Tensor) -> UntypedStorage:
    """The storage of a card's tensor, also of one that is lent to the CPU."""
    return lender(tensor) or tensor.untyped_storage()


class Shadows:
    """The blocks of all memory that was used, by address: several storages may have the same."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._owners: dict[int, _Owner] = {}
        self._given_back: defaultdict[Lane, list[Block]] = defaultdict(list)

    def block_of(self, storage: UntypedStorage) -> Block:
        """The block of a storage; a new one begins with what the program sees."""
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
        """Give a tensor that a stream has just made its block: memory given back, or fresh.

        ``is_written``: work that is still to come fills it.
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
        """A CPU tensor over the part of a block that a tensor is of its storage."""
        return _as_lazy(self._bits(tensor), tensor)

    def double(self, tensor: Tensor) -> Tensor:
        """The same as a tensor of the card."""
        bits = self._bits(tensor)
        return _as_lazy(new_on_card(bits, tensor.get_device(), bits.nbytes), tensor)

    def _bits(self, tensor: Tensor) -> Tensor:
        storage = storage_of(tensor)
        first = tensor.storage_offset()
        if not tensor.is_cuda:  # what is lent may begin anywhere
            first = (tensor.data_ptr() - storage.data_ptr()) // tensor.element_size()
        content = self.block_of(storage).content.untyped_storage()
        empty = torch.empty(0, dtype=tensor.dtype, device="cpu")
        return empty.set_(content, first, tensor.size(), tensor.stride())

    def recorded(self, tensor: Tensor, lane: Lane) -> None:
        """Let the memory of a tensor wait for one more stream when it is given back."""
        storage = tensor.untyped_storage()
        self._watch(storage, None)
        if (owner := self._owners.get(storage.data_ptr())) is not None:
            owner.recorded.add(lane)

    def living(self) -> Iterator[tuple[UntypedStorage, Block]]:
        """All storages that have a block."""
        for address, block in list(self._blocks.items()):
            storage = self._owners[address].storage()
            if storage is not None and storage.data_ptr() == address:
                yield storage, block

    def publish(self, storage: UntypedStorage) -> None:
        """Show a storage's block to the program, and forget it."""
        block = self._blocks.pop(storage.data_ptr(), None)
        if block is not None:
            nbytes = min(storage.nbytes(), block.content.numel())
            ctypes.memmove(storage.data_ptr(), block.content.data_ptr(), nbytes)

    def _watch(self, storage: UntypedStorage, lane: Lane | None) -> None:
        """Know when a storage ends, and ``lane``, to which its memory goes back then."""
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
        """Who asks next on its stream may get this memory. Backward records the streams itself."""
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
    """Conjugated and negated as a tensor is."""
    bits = torch._conj(bits) if tensor.is_conj() else bits
    return torch._neg_view(bits) if tensor.is_neg() else bits
