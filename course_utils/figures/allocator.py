"""`segment_map`: what PyTorch has taken from a GPU by segments, and what of it is in use."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from course_utils.figures.picture import (
    INK,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    counted,
    listed,
    sheet,
    size_of,
    write,
)
from course_utils.figures.timelines import Look, legend

Segments = Sequence[Mapping[str, Any]]
"""Of one GPU, as `torch.cuda.memory_snapshot()` gives them."""

USED, FREE = "in use", "kept, free"
LOOKS: Mapping[str, Look] = {USED: ("#9ec5e8", None), FREE: ("#fbfaf7", "////")}
LEFT, RIGHT, ROW, HEAD = 0.4, WIDTH - 1.5, 0.36, 0.34
NARROW = 0.55
"""Inches: the size of a block is not written into a narrower one."""


def segments_of(device: torch.device) -> Segments:
    """The segments of `device`, in the order in which the snapshot has them."""
    return [one for one in torch.cuda.memory_snapshot() if one["device"] == device.index]


def segment_map(moments: Mapping[str, Segments], *, title: str) -> Picture:
    """Draw the segments at each of `moments`, by name, on one scale."""
    rows = [max(1, len(segments)) for segments in moments.values()]
    figure, axes = sheet(1.05 + sum(rows) * ROW + len(rows) * HEAD + 0.1, title)
    legend(axes, LEFT, 0.7, LOOKS)
    scale = (RIGHT - LEFT) / max(
        [one["total_size"] for segments in moments.values() for one in segments] or [1]
    )
    y = 0.95
    for name, segments in moments.items():
        write(axes, 0.25, y + HEAD / 2, name, weight="bold", size=SMALL)
        write(
            axes, WIDTH - 0.25, y + HEAD / 2, _sum(segments), size=SMALL, color=QUIET, align="right"
        )
        y += HEAD
        if not segments:
            write(
                axes,
                LEFT,
                y + ROW / 2 - 0.03,
                "nothing is reserved",
                size=SMALL,
                color=QUIET,
                style="italic",
            )
        for row, segment in enumerate(segments or [{"blocks": []}]):
            x = LEFT
            for block in segment["blocks"]:
                width = block["size"] * scale
                fill, hatch = LOOKS[_kind(block)]
                box(
                    axes,
                    x,
                    y + row * ROW,
                    width,
                    ROW - 0.08,
                    fill=fill,
                    edge=INK,
                    hatch=hatch,
                    round_=0,
                    thickness=0.9,
                )
                if width > NARROW:
                    middle, level = x + width / 2, y + row * ROW + ROW / 2 - 0.04
                    box(axes, middle - 0.26, level - 0.08, 0.52, 0.16, fill=fill, edge=fill)
                    write(axes, middle, level, size_of(block["size"]), align="center", size=8.5)
                x += width
        y += len(segments or [None]) * ROW
    return Picture(figure, _describe(moments, title))


def _kind(block: Mapping[str, Any]) -> str:
    return FREE if block["state"] == "inactive" else USED


def _used(segments: Segments) -> int:
    return sum(b["size"] for one in segments for b in one["blocks"] if _kind(b) == USED)


def _held(segments: Segments) -> int:
    return sum(one["total_size"] for one in segments)


def _sum(segments: Segments) -> str:
    return f"allocated {size_of(_used(segments))}, reserved {size_of(_held(segments))}"


def _describe(moments: Mapping[str, Segments], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Memory of a GPU in segments, {title!r}."]
    for name, segments in moments.items():
        each = [
            f"one of {size_of(one['total_size'])} with {_blocks(one['blocks'])}" for one in segments
        ]
        held = f"{counted(len(each), 'segment')}, {listed(each)}" if each else "no segment"
        parts.append(f"{name}: {_sum(segments)}; {held}.")
    return " ".join(parts)


def _blocks(blocks: Iterable[Mapping[str, Any]]) -> str:
    return listed(f"{size_of(block['size'])} {_kind(block)}" for block in blocks)
