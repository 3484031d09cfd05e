"""A drawing of tensors: a band for each device, and in it a row for each tensor."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch

from course_utils.figures.picture import ASIDE, INK, MONO, NOTE, SMALL, WIDTH, BoxStyle, Picture
from course_utils.words import counted, listed, shortened, size_of

TOP = 0.6


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


def tall(bands: Iterable[Sequence[object]], row: float) -> float:
    """The height of bands with so many rows, in inches."""
    return sum(max(1, len(held)) * row + 0.28 for held in bands)


def draw_bands(
    page: Picture,
    bands: Mapping[torch.device, Sequence[Held]],
    row: float,
    draw: Callable[[float, Held], None],
    described: Callable[[Held], str],
) -> float:
    """Draw the tensors on each device, and describe them. Returns the lower end of the bands.

    row: height in inches. draw: adds the box of a tensor and its columns, at a height.
    described: the tensor in words.
    """
    top = TOP
    for device, held in bands.items():
        height = tall([held], row) - 0.12
        page.box(0.2, top, WIDTH - 0.4, height, **_device_style(device.type))
        page.write(0.4, top + height / 2, str(device), weight="bold", family=MONO)
        for number, item in enumerate(held):
            level = top + 0.08 + (number + 0.5) * row
            draw(level, item)
            page.write(1.62, level, shortened(item.path, 31), family=MONO, size=SMALL)
            size = size_of(item.tensor.nbytes)
            page.write(WIDTH - 0.45, level, size, align="right", **NOTE)
        if held:
            page.tell(
                f"{device} holds {counted(len(held), 'tensor')}: {listed(map(described, held))}."
            )
        else:
            page.write(1.62, top + height / 2, "no tensor here", **ASIDE)
            page.tell(f"{device} holds no tensor.")
        top += height + 0.12
    return top


def _device_style(device: str) -> BoxStyle:
    """The colours and the line of a box that stands for this device: CPU or GPU."""
    if device == "cpu":
        return {"fill": "#eef1f4", "edge": INK}
    return {"fill": "#e4f1df", "edge": INK, "line": (0, (5, 2))}
