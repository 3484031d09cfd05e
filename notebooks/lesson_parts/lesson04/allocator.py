"""`segment_map`: what PyTorch has taken from a GPU by segments, and what of it is in use."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.figures.picture import BLUE, NOTE, PAPER, QUIET, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import counted, listed, size_of

Segments = Sequence[Mapping[str, Any]]
"""Of all GPUs, as `torch.cuda.memory_snapshot()` gives them."""

USED, FREE = "in use", "kept, free"
LOOKS: Mapping[str, BarStyle] = {USED: (BLUE, None), FREE: (PAPER, "////")}
LEFT, RIGHT, ROW, HEAD = 0.4, WIDTH - 1.5, 0.36, 0.34
NARROW = 0.55
"""Inches: the size of a block is not written into a narrower one."""


def segment_map(snapshots: Mapping[str, Segments], device: torch.device, *, title: str) -> Picture:
    """Draw the segments of `device` in each of `snapshots`, by name, on one scale."""
    moments = {
        name: [one for one in snapshot if one["device"] == device.index]
        for name, snapshot in snapshots.items()
    }
    rows = sum(max(1, len(segments)) for segments in moments.values())
    page = Picture(1.15 + rows * ROW + len(moments) * HEAD, title)
    page.tell(f"Memory of a GPU in segments, {title!r}.")
    page.legend(LEFT, 0.7, LOOKS)
    sizes = [one["total_size"] for segments in moments.values() for one in segments]
    scale = (RIGHT - LEFT) / max(sizes or [1])
    y = 0.95
    for name, segments in moments.items():
        blocks = [block for one in segments for block in one["blocks"]]
        used = sum(block["size"] for block in blocks if _kind(block) == USED)
        reserved = sum(one["total_size"] for one in segments)
        told = f"allocated {size_of(used)}, reserved {size_of(reserved)}"
        page.write(0.25, y + HEAD / 2, name, weight="bold", size=SMALL)
        page.write(WIDTH - 0.25, y + HEAD / 2, told, align="right", **NOTE)
        y += HEAD
        if not segments:
            text, level = "nothing is reserved", y + ROW / 2 - 0.03
            page.write(LEFT, level, text, size=SMALL, color=QUIET, style="italic")
            y += ROW
        for segment in segments:
            x = LEFT
            for block in segment["blocks"]:
                width, look = block["size"] * scale, LOOKS[_kind(block)]
                page.bar(x, y, width, ROW - 0.08, look)
                if width > NARROW:
                    middle, level, size = x + width / 2, y + ROW / 2 - 0.04, size_of(block["size"])
                    page.write(middle, level, size, align="center", size=8.5, behind=look[0])
                x += width
            y += ROW
        each = listed(map(_told, segments)) if segments else ""
        held = f"{counted(len(segments), 'segment')}, {each}" if segments else "no segment"
        page.tell(f"{name}: {told}; {held}.")
    return page


def _kind(block: Mapping[str, Any]) -> str:
    return FREE if block["state"] == "inactive" else USED


def _told(segment: Mapping[str, Any]) -> str:
    blocks = listed(f"{size_of(block['size'])} {_kind(block)}" for block in segment["blocks"])
    return f"one of {size_of(segment['total_size'])} with {blocks}"
