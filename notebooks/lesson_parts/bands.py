"""Tensors by device, and the colours of a device, in drawings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

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

    @property
    def dtype(self) -> str:
        """The dtype as text, such as "float32"."""
        return str(self.tensor.dtype).removeprefix("torch.")


AnyHeld = TypeVar("AnyHeld", bound=Held)


def by_device(
    held: Iterable[AnyHeld], devices: Iterable[torch.device | str] = ()
) -> dict[torch.device, list[AnyHeld]]:
    """The tensors on each device, the CPU first. devices: included even if they have no tensor."""
    found: dict[torch.device, list[AnyHeld]] = {torch.device(device): [] for device in devices}
    for item in held:
        found.setdefault(item.tensor.device, []).append(item)
    order = sorted(found, key=lambda device: (device.type != "cpu", device.type, device.index or 0))
    return {device: found[device] for device in order}


def device_style(device: str) -> BoxStyle:
    """The colours and the line of a box that stands for this device: CPU or GPU."""
    if device.startswith("cpu"):
        return {"fill": "#eef1f4", "edge": INK}
    return {"fill": "#e4f1df", "edge": INK, "line": (0, (5, 2))}
