"""`batch_split`: a drawing of the samples of a batch on each GPU."""

from collections.abc import Iterable, Sequence
from itertools import product

import torch
from torch import Tensor

from course_utils.figures.picture import (
    ASIDE,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    bar_styles_of,
)
from course_utils.words import counted

LEFT, RIGHT = 1.75, WIDTH - 0.35
ROW, CELL, TOP = 0.5, 0.36, 0.6
MOST = 64
"""The largest number of samples that can be drawn as cells."""


def batch_split(
    parts: Sequence[Tensor], devices: Iterable[torch.device | str] = (), *, title: str = ""
) -> Picture:
    """A picture of the parts of a batch, each on its device, under the whole batch.

    parts: tensors in the order in which the batch was cut, samples along their first dimension.
    devices: devices to show even if they have no part.
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
    page = Picture(TOP + (len(rows) + 1) * ROW + 0.3, title)
    page.tell(f"Batch split, {title!r}. The batch has {counted(total, 'sample')}.")
    width, styles = min(0.5, (RIGHT - LEFT) / max(total, 1)), bar_styles_of(rows)
    _label(page, TOP, "batch", total)
    for row, (device, samples) in enumerate(rows.items(), 1):
        top = TOP + row * ROW + 0.12
        _label(page, top, device, len(samples))
        for sample, y in product(samples, (TOP, top)):
            left = LEFT + sample * width
            page.bar(left, y, width, CELL, styles[device])
            if width >= 0.25:
                middle, text = (left + width / 2, y + CELL / 2), str(sample)
                page.write(*middle, text, align="center", size=SMALL, behind=PANEL)
        each = f"1 sample, number {samples[0]}" if samples else "nothing"
        if len(samples) > 1:
            each = f"{counted(len(samples), 'sample')}, number {samples[0]} to {samples[-1]}"
        page.tell(f"{device} gets {each}.")
        if not samples:
            page.write(LEFT, top + CELL / 2, "nothing to do", **ASIDE)
    return page


def _label(page: Picture, top: float, name: str, count: int) -> None:
    page.write(0.25, top + 0.1, name, weight="bold", family=MONO)
    page.write(0.25, top + 0.29, counted(count, "sample"), size=SMALL - 0.5, color=QUIET)
