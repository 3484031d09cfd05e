"""`device_map`: where the tensors of a batch live, device by device."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from matplotlib.figure import Figure

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    counted,
    listed,
    sheet,
    shortened,
    size_of,
    write,
)

ROW = 0.4

Band = tuple[torch.device, list[tuple[str, torch.Tensor]]]
"""A device, and its tensors with their paths."""

Plain = list[tuple[str, str]]
"""Paths of values that are no tensors, with the names of their types."""


def device_map(
    batch: Any,
    *,
    title: str = "Where the tensors live",
    devices: Iterable[torch.device | str] = (),
) -> Picture:
    """Draw which device holds each tensor of `batch`, a tensor or any nesting of containers.

    devices: devices to show even where they hold nothing.
    """
    tensors: dict[torch.device, list[tuple[str, torch.Tensor]]] = {
        torch.device(device): [] for device in devices
    }
    plain: Plain = []
    for path, leaf in _leaves(batch, ""):
        if isinstance(leaf, torch.Tensor):
            tensors.setdefault(leaf.device, []).append((path or "tensor", leaf))
        else:
            plain.append((path or "value", type(leaf).__name__))
    order = sorted(tensors, key=lambda d: (d.type != "cpu", d.type, d.index or 0))
    bands = [(device, tensors[device]) for device in order]
    return Picture(_draw(title, bands, plain), _describe(title, bands, plain))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every leaf of a nesting with its path, such as `["image"]` or `[0].mask`."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{path}[{key!r}]" if path else str(key))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for key in value._fields:
            yield from _leaves(getattr(value, key), f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, value


def _kind(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _draw(title: str, bands: list[Band], plain: Plain) -> Figure:
    rows = [max(1, len(held)) for _, held in bands] + ([len(plain)] if plain else [])
    height = 0.75 + sum(rows) * ROW + len(rows) * 0.28
    figure, axes = sheet(height, title)
    y = 0.6
    for device, held in bands:
        tall = max(1, len(held)) * ROW + 0.16
        fill, line = ("#eef1f4", "-") if device.type == "cpu" else ("#e4f1df", (0, (5, 2)))
        box(axes, 0.2, y, WIDTH - 0.4, tall, fill=fill, edge=INK, line=line)
        write(axes, 0.4, y + tall / 2, str(device), weight="bold", family=MONO)
        for row, (path, tensor) in enumerate(held):
            level = y + 0.08 + (row + 0.5) * ROW
            box(axes, 1.5, level - 0.16, WIDTH - 1.85, 0.32, edge=LINE)
            write(axes, 1.62, level, shortened(path, 32), family=MONO, size=SMALL)
            write(axes, 4.75, level, shortened(str(tuple(tensor.shape)), 18), size=SMALL)
            write(axes, 6.2, level, _kind(tensor), size=SMALL)
            write(
                axes,
                WIDTH - 0.45,
                level,
                size_of(tensor.nbytes),
                size=SMALL,
                color=QUIET,
                align="right",
            )
        if not held:
            write(axes, 1.62, y + tall / 2, "no tensor here", color=QUIET, style="italic")
        y += tall + 0.12
    if plain:
        tall = len(plain) * ROW + 0.16
        box(axes, 0.2, y, WIDTH - 0.4, tall, fill="none", line=":")
        write(axes, 0.4, y + tall / 2, "no device", color=QUIET, style="italic")
        for row, (path, kind) in enumerate(plain):
            level = y + 0.08 + (row + 0.5) * ROW
            write(axes, 1.62, level, shortened(path, 32), family=MONO, size=SMALL)
            write(axes, 4.75, level, f"a plain {kind}, not a tensor", size=SMALL, color=QUIET)
    return figure


def _describe(title: str, bands: list[Band], plain: Plain) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Device map, {title!r}."]
    for device, held in bands:
        if not held:
            parts.append(f"{device} holds no tensor.")
            continue
        each = listed(
            f"{path} (shape {tuple(tensor.shape)}, {_kind(tensor)}, {size_of(tensor.nbytes)})"
            for path, tensor in held
        )
        parts.append(f"{device} holds {counted(len(held), 'tensor')}: {each}.")
    if plain:
        each = listed(f"{path} (a plain {kind})" for path, kind in plain)
        parts.append(f"No device holds {each}.")
    return " ".join(parts)
