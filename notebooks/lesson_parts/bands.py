"""Tensors by device, and the colours of a device, in drawings."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch

from course_utils.figures.picture import INK, BoxStyle


@dataclass(frozen=True)
class Held:
    """A tensor, the path that leads to it, and its kind, such as "parameter"."""

    path: str
    tensor: torch.Tensor
    kind: str = ""

    @property
    def shape(self) -> str:
        """The shape as text, such as "(3, 4)"."""
        return str(tuple(self.tensor.shape))


def by_device(held: Iterable[Held]) -> dict[torch.device, list[Held]]:
    """The tensors on each device, the CPU first."""
    found: dict[torch.device, list[Held]] = {}
    for item in held:
        found.setdefault(item.tensor.device, []).append(item)
    order = sorted(found, key=lambda device: (device.type != "cpu", device.type, device.index or 0))
    return {device: found[device] for device in order}


def device_style(device: str) -> BoxStyle:
    """The colours and the line of a box that stands for this device: CPU or GPU."""
    if device.startswith("cpu"):
        return {"fill": "#eef1f4", "edge": INK}
    return {"fill": "#e4f1df", "edge": INK, "line": (0, (5, 2))}
