"""One card for the kernels: it takes their results, counts memory and books modelled time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from .memory.allocator import Allocator
from .platform import helper
from .retag import is_lazy, new_on_card
from .timing.clock import CardClock


class Card:
    """The allocator and the clock of one card.

    ``run`` books a kernel's time on the current stream, ``lend`` counts memory (``Allocator``).
    """

    __slots__ = ("clock", "index", "lend", "lend_to", "run")

    def __init__(self, index: int, allocator: Allocator, clock: CardClock) -> None:
        self.index = index
        self.clock = clock
        self.run = clock.kernel
        self.lend = allocator.lend
        self.lend_to = allocator.lend_to

    def place(self, content: Tensor) -> Tensor:
        """A fresh CPU tensor as a tensor of this card, with its memory counted."""
        if is_lazy(content):
            content = _materialised(content)
        if nbytes := content.untyped_storage().nbytes():
            self.lend_to(content, nbytes)
        tensor = new_on_card(content, self.index, content.nbytes)
        if (trace := self.clock.clock.trace) is not None:
            trace.born(self.clock.lane, tensor)
        return tensor

    def new(self, content: Tensor, name: str, nbytes: int, flops: int = 0) -> Tensor:
        """The result of a kernel that read ``nbytes``, as in ``place``, with its time booked."""
        if content.is_conj():  # ``linalg_lu_solve`` returns lazy conjugates
            content = content.resolve_conj()
        size = content.nbytes
        self.run(name, nbytes + size, flops)
        if storage_size := content.untyped_storage().nbytes():
            # The CPU tensor lives as long as its memory is used, as a CPU or a CUDA tensor.
            self.lend_to(content, storage_size)
        return new_on_card(content, self.index, size)

    def new_ones(
        self, contents: Sequence[Tensor | None], name: str, nbytes: int, flops: int = 0
    ) -> list[Tensor | None]:
        """The results of a kernel that read ``nbytes``, as in ``place``, with its time booked.

        None stands for a result that was not requested.
        """
        sizes = (content.nbytes for content in contents if content is not None)
        self.run(name, nbytes + sum(sizes), flops)
        return [None if content is None else self.place(content) for content in contents]


def _materialised(content: Tensor) -> Tensor:
    if content._is_zerotensor():  # autograd's symbolic zeros own no memory
        return torch.zeros(content.shape, dtype=content.dtype)
    return content.resolve_conj().resolve_neg()


# The cards that specialised kernels (``specialise``) may use. Empty before CUDA has started, after
# it was switched off, in a forked child, during a trace, and during a graph's capture, which needs
# the CPU tensors behind new tensors.
open_cards: dict[int, Card] = {}
_held_closed = False


def open_to_all(cards: Iterable[Card]) -> None:
    """Let specialised kernels use these cards, except inside ``held_closed``."""
    if _held_closed:
        return
    for card in cards:
        open_cards[card.index] = card
        if helper.loaded is not None:
            helper.loaded.open(card.index, card.run, card.lend)


def close_to_all() -> None:
    """Make every call use the general kernel."""
    open_cards.clear()
    if helper.loaded is not None:
        helper.loaded.close()


@contextmanager
def held_closed() -> Iterator[None]:
    """Make every call within the block use the general kernel."""
    global _held_closed
    _held_closed = True
    close_to_all()
    try:
        yield
    finally:
        _held_closed = False


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=close_to_all)
