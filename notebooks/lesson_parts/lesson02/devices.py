"""`device_map`: the inputs of an operation, in the memory of their devices."""

from collections.abc import Mapping

import torch

from course_utils.figures.picture import BLUE, INK, MONO, SMALL, WIDTH, BoxStyle, Picture
from course_utils.words import listed, shortened, size_of
from lesson_parts.bands import Held, by_device, device_style

TOP, ROW = 0.62, 0.62


def device_map(inputs: Mapping[str, torch.Tensor], operation: str) -> Picture:
    """A picture of the inputs of `operation`, which runs on the GPU if one of them is there.

    An input in another memory has a dotted frame, and a dashed arrow that ends at the border.
    """
    held = [Held(name, tensor) for name, tensor in inputs.items()]
    bands = by_device(held)
    place = list(bands)[-1]
    rows = max(len(bands[place]) + 1, *map(len, bands.values()))
    wide, low = (WIDTH - 0.4) / len(bands), TOP + 0.5 + ROW * rows
    page = Picture(low + 0.2, f"The inputs of {operation}")
    page.tell(f"The inputs of {operation}, which runs on {place}.")
    target = TOP + 0.42 + ROW * (rows - 0.5)
    for number, (device, items) in enumerate(bands.items()):
        left = 0.2 + number * wide
        middle, here = left + wide / 2, device == place
        page.box(left + 0.05, TOP, wide - 0.1, low - TOP, **device_style(device.type))
        page.write(middle, TOP + 0.2, f"memory of {device}", "center", weight="bold")
        for row, item in enumerate(items):
            y = TOP + 0.42 + ROW * (row + 0.5)
            frame: BoxStyle = {"edge": INK} if here else {"edge": INK, "line": (0, (1, 2))}
            page.box(left + 0.25, y - 0.2, wide - 0.5, 0.4, **frame)
            size = f"{shortened(item.shape, 16)}  {size_of(item.tensor.nbytes)}"
            page.write(left + 0.4, y, shortened(item.path, 16), family=MONO)
            page.write(left + wide - 0.4, y, size, "right", size=SMALL)
            if here:
                page.arrow((middle, y + 0.2), (middle, target - 0.2))
                continue
            page.line((middle, y + 0.2), (middle, target), color=INK, linestyle="--", linewidth=1.4)
            page.arrow((middle, target), (left + wide - 0.12, target), linestyle="--")
            page.write(left + wide, target, "×", "center", size=24.0, weight="bold")
            page.write(middle + 0.15, target - 0.13, "other memory", size=SMALL)
        told = listed(f"{x.path} (shape {x.shape}, {size_of(x.tensor.nbytes)})" for x in items)
        page.tell(f"{device} holds {told}{'' if here else f', which {place} does not read'}.")
    left = 0.2 + (len(bands) - 1) * wide
    page.box(
        left + 0.25, target - 0.2, wide - 0.5, 0.4, operation, fill=BLUE, edge=INK, family=MONO
    )
    return page
