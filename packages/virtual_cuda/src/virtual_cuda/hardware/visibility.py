"""The visible cards of a process and their order: CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER.

The rules are those of NVIDIA's programming guide ("CUDA Environment Variables"). torch's own parser
reads the list, as ``torch.cuda.device_count()`` does before CUDA has started, so both always agree:
spaces around numbers are ignored, an invalid entry ends the list, a card named twice makes the list
empty, and numbers and UUIDs cannot be mixed.
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
    """nvidia-smi's numbers of the cards that the environment makes visible now.

    ``cards`` are in PCI order. The first of the result is ``cuda:0``.
    """
    entries = torch.cuda._parse_visible_devices()
    if entries and isinstance(entries[0], str):
        uuids = [card.uuid for card in cards]
        return tuple(torch.cuda._transform_uuid_to_ordinals(entries, uuids))
    order = cuda_order(cards)
    numbers = (entry for entry in entries if isinstance(entry, int))
    return tuple(order[number] for number in takewhile(lambda number: number < len(cards), numbers))
