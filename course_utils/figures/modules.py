"""`module_map`: where the tensors of a module and its optimizer live, and which ones `to` finds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import nn
from torch.optim import Optimizer

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    QUIET,
    SMALL,
    WIDTH,
    Look,
    Picture,
    box,
    counted,
    listed,
    sheet,
    shortened,
    size_of,
    write,
)

ROW = 0.36
KIND_X, SHAPE_X, DTYPE_X = 4.12, 5.6, 6.55
REACHED = ("parameter", "buffer", "buffer, not saved")
"""The kinds that `Module.to` finds; all others it passes by."""


@dataclass(frozen=True)
class _Held:
    """A tensor with the path that leads to it, and how the module holds it."""

    path: str
    kind: str
    tensor: torch.Tensor

    @property
    def reached(self) -> bool:
        return self.kind in REACHED

    @property
    def shape(self) -> str:
        return str(tuple(self.tensor.shape))

    @property
    def dtype(self) -> str:
        return str(self.tensor.dtype).removeprefix("torch.")


Band = tuple[torch.device, list[_Held]]
"""A device, and what is there."""


def module_map(
    module: nn.Module,
    optimizer: Optimizer | None = None,
    *,
    title: str = "Where the module is",
    devices: Iterable[torch.device | str] = (),
) -> Picture:
    """Draw which device holds each tensor of `module`, and each state of its `optimizer`.

    Parameters and buffers, which `to` finds, have a solid frame. Plain attributes, what is in
    lists and dicts, and what belongs to the optimizer have a dotted one.

    devices: devices to show even where they hold nothing.
    """
    held = list(_survey(module))
    if optimizer is not None:
        held += _states(optimizer, held)
    bands: dict[torch.device, list[_Held]] = {torch.device(device): [] for device in devices}
    for item in held:
        bands.setdefault(item.tensor.device, []).append(item)
    order = sorted(bands, key=lambda d: (d.type != "cpu", d.type, d.index or 0))
    ordered = [(device, bands[device]) for device in order]
    return Picture(_draw(title, ordered), _describe(title, ordered))


def _survey(module: nn.Module) -> Iterator[_Held]:
    """What the module holds: what is registered first, then the rest."""
    for path, parameter in module.named_parameters():
        yield _Held(path, "parameter", parameter)
    parts = dict(module.named_modules())
    for path, buffer in module.named_buffers():
        owner, _, leaf = path.rpartition(".")
        unsaved = leaf in parts[owner]._non_persistent_buffers_set
        yield _Held(path, "buffer, not saved" if unsaved else "buffer", buffer)
    for prefix, part in parts.items():
        for name, value in vars(part).items():
            if not name.startswith("_"):
                yield from _unregistered(value, f"{prefix}.{name}" if prefix else name)


def _unregistered(value: Any, path: str, kind: str = "plain attribute") -> Iterator[_Held]:
    """The tensors in an attribute that the module has not registered."""
    if isinstance(value, torch.Tensor):
        yield _Held(path, kind, value)
    elif isinstance(value, nn.Module):
        for item in _survey(value):
            yield _Held(f"{path}.{item.path}", kind, item.tensor)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _unregistered(item, f"{path}[{index}]", f"in a {type(value).__name__}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _unregistered(item, f"{path}[{key!r}]", "in a dict")


def _states(optimizer: Optimizer, held: list[_Held]) -> Iterator[_Held]:
    """The optimizer's states, and those of its parameters that the module does not have."""
    names = {id(item.tensor): item.path for item in held}
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    for number, parameter in enumerate(parameters):
        name = names.get(id(parameter))
        if name is None:
            name = f"params[{number}]"
            yield _Held(name, "optimizer's own", parameter)
        for entry, state in optimizer.state.get(parameter, {}).items():
            if isinstance(state, torch.Tensor):
                yield _Held(f"{name}: {entry}", "optimizer state", state)


def _draw(title: str, bands: list[Band]) -> Figure:
    rows = sum(max(1, len(held)) for _, held in bands)
    figure, axes = sheet(1.0 + rows * ROW + len(bands) * 0.28, title)
    y = 0.6
    for device, held in bands:
        tall = max(1, len(held)) * ROW + 0.16
        fill, line = ("#eef1f4", "-") if device.type == "cpu" else ("#e4f1df", (0, (5, 2)))
        box(axes, 0.2, y, WIDTH - 0.4, tall, fill=fill, edge=INK, line=line)
        write(axes, 0.4, y + tall / 2, str(device), weight="bold", family=MONO)
        for row, item in enumerate(held):
            _draw_row(axes, y + 0.08 + (row + 0.5) * ROW, item)
        if not held:
            write(axes, 1.62, y + tall / 2, "no tensor here", color=QUIET, style="italic")
        y += tall + 0.12
    _draw_legend(axes, y + 0.16)
    return figure


def _draw_row(axes: Axes, level: float, item: _Held) -> None:
    look: Look = {"edge": INK} if item.reached else {"edge": LINE, "line": ":", "fill": "none"}
    box(axes, 1.5, level - 0.145, WIDTH - 1.85, 0.29, **look)
    write(axes, 1.62, level, shortened(item.path, 30), family=MONO, size=SMALL)
    style = "normal" if item.reached else "italic"
    write(axes, KIND_X, level, item.kind, size=SMALL, style=style)
    write(axes, SHAPE_X, level, shortened(item.shape, 12), size=SMALL)
    write(axes, DTYPE_X, level, item.dtype, size=SMALL)
    size = size_of(item.tensor.nbytes)
    write(axes, WIDTH - 0.45, level, size, size=SMALL, color=QUIET, align="right")


def _draw_legend(axes: Axes, level: float) -> None:
    looks: tuple[tuple[float, Look, str], ...] = (
        (1.5, {"edge": INK}, "moved by the module's to()"),
        (4.3, {"edge": LINE, "line": ":", "fill": "none"}, "left behind"),
    )
    for x, look, text in looks:
        box(axes, x, level - 0.09, 0.32, 0.18, **look)
        write(axes, x + 0.42, level, text, size=SMALL, color=QUIET)


def _describe(title: str, bands: list[Band]) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Module map, {title!r}."]
    for device, held in bands:
        if not held:
            parts.append(f"{device} holds no tensor.")
            continue
        each = listed(
            f"{item.path} ({item.kind}, shape {item.shape}, {item.dtype})" for item in held
        )
        parts.append(f"{device} holds {counted(len(held), 'tensor')}: {each}.")
    passed = [item.path for _, held in bands for item in held if not item.reached]
    if passed:
        parts.append(f"The module's `to` does not find {listed(passed)}.")
    return " ".join(parts)
