"""`batch_split`: which samples of a batch are on which GPU."""

from collections.abc import Iterable, Sequence

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from course_utils.figures.picture import (
    INK,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    counted,
    sheet,
    write,
)

LEFT, RIGHT = 1.75, WIDTH - 0.35
ROW, CELL, TOP = 0.5, 0.36, 0.6
LOOKS = (
    ("#9ec5e8", None),
    ("#f2c27b", "////"),
    ("#b9d7a8", "xxx"),
    ("#e3b5c8", "|||"),
    ("#ece6d6", "\\\\\\\\"),
    ("#c9d3dc", "---"),
    ("#d9c8e8", "++"),
    ("#ffffff", "..."),
)
"""Fills and hatches of the GPUs, so that a picture printed in grey can still be read."""

MOST = 64
"""Samples that can be drawn as cells."""


def batch_split(
    parts: Sequence[Tensor], devices: Iterable[torch.device | str] = (), *, title: str = ""
) -> Picture:
    """Draw the parts of a batch, each on its device, under the batch as a whole.

    parts: tensors in the order in which the batch was cut, samples along their first dimension.
    devices: devices to show even where they hold nothing.
    Raises ValueError for more than 64 samples.
    """
    total = sum(len(part) for part in parts)
    if total > MOST:
        raise ValueError(f"{total} samples are too many to draw; at most {MOST} can be.")
    rows = {str(torch.device(device)): range(0) for device in devices}
    first = 0
    for part in parts:
        rows[str(part.device)] = range(first, first + len(part))
        first += len(part)
    title = title or f"{counted(total, 'sample')} on {counted(len(rows), 'GPU')}"
    return Picture(_draw(rows, total, title), _describe(rows, total, title))


def _draw(rows: dict[str, range], total: int, title: str) -> Figure:
    figure, axes = sheet(TOP + (len(rows) + 1) * ROW + 0.3, title)
    width = min(0.5, (RIGHT - LEFT) / max(total, 1))
    _label(axes, TOP, "batch", total)
    for row, (device, samples) in enumerate(rows.items()):
        look, top = LOOKS[row % len(LOOKS)], TOP + (row + 1) * ROW + 0.12
        _label(axes, top, device, len(samples))
        for sample in samples:
            _cell(axes, LEFT + sample * width, TOP, width, look, sample)
            _cell(axes, LEFT + sample * width, top, width, look, sample)
        if not samples:
            write(axes, LEFT, top + CELL / 2, "nothing to do", color=QUIET, style="italic")
    return figure


def _label(axes: Axes, top: float, name: str, count: int) -> None:
    write(axes, 0.25, top + 0.1, name, weight="bold", family=MONO)
    write(axes, 0.25, top + 0.29, counted(count, "sample"), size=SMALL - 0.5, color=QUIET)


def _cell(
    axes: Axes, left: float, top: float, width: float, look: tuple[str, str | None], sample: int
) -> None:
    fill, hatch = look
    axes.add_patch(
        Rectangle(
            (left, top), width, CELL, facecolor=fill, hatch=hatch, edgecolor=INK, linewidth=0.9
        )
    )
    if width >= 0.25:
        # A plate under the number, or the hatching would run through it.
        corner = left + width / 2 - 0.11, top + 0.09
        axes.add_patch(Rectangle(corner, 0.22, CELL - 0.18, facecolor=PANEL, edgecolor="none"))
        write(axes, left + width / 2, top + CELL / 2, str(sample), align="center", size=SMALL)


def _describe(rows: dict[str, range], total: int, title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Batch split, {title!r}. The batch has {counted(total, 'sample')}."]
    for device, samples in rows.items():
        if len(samples) > 1:
            each = f"{counted(len(samples), 'sample')}, number {samples[0]} to {samples[-1]}"
        else:
            each = f"1 sample, number {samples[0]}" if samples else "nothing"
        parts.append(f"{device} gets {each}.")
    return " ".join(parts)
