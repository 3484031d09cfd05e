"""Which cards a process sees, and in which order: CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER.

The rules are those of NVIDIA's programming guide ("CUDA Environment Variables"). Reading the list
is left to torch's own parser, which ``torch.cuda.device_count()`` asks before CUDA has started, so
that both always agree: spaces around numbers do not count, a bad entry ends the list, a card named
twice leaves none at all, and numbers and UUIDs do not mix.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile

import torch

from .profiles import DeviceProfile


def cuda_order(cards: Sequence[DeviceProfile]) -> tuple[int, ...]:
    """nvidia-smi's numbers of the cards, in the order in which CUDA counts them.

    ``CUDA_DEVICE_ORDER=PCI_BUS_ID`` counts as nvidia-smi does; otherwise the fastest come first.
    """
    if os.environ.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID":
        return tuple(range(len(cards)))
    return tuple(sorted(range(len(cards)), key=lambda number: cards[number].speed_rank))


def visible_cards(cards: Sequence[DeviceProfile]) -> tuple[int, ...]:
    """nvidia-smi's numbers of the cards that the environment leaves visible now.

    ``cards`` are in PCI order. The first of the result is ``cuda:0``.
    """
    entries = torch.cuda._parse_visible_devices()
    if entries and isinstance(entries[0], str):
        uuids = [card.uuid for card in cards]
        return tuple(torch.cuda._transform_uuid_to_ordinals(entries, uuids))
    order = cuda_order(cards)
    numbers = (entry for entry in entries if isinstance(entry, int))
    return tuple(order[number] for number in takewhile(lambda number: number < len(cards), numbers))
