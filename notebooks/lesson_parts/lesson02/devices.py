"""`device_map`: a drawing of the tensors of a batch, device by device."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch

from course_utils.figures.picture import ASIDE, LINE, MONO, NOTE, SMALL, WIDTH, Picture
from course_utils.words import listed, shortened, size_of
from lesson_parts.bands import TOP, Held, by_device, draw_bands, tall

ROW = 0.4


def device_map(
    batch: Any,
    *,
    title: str = "Where the tensors live",
    devices: Iterable[torch.device | str] = (),
) -> Picture:
    """A picture of the device of each tensor in `batch`, a tensor or any nesting of containers.

    devices: devices to show even if they have no tensor.
    """
    leaves = list(_leaves(batch, ""))
    tensors = [Held(path or "tensor", x) for path, x in leaves if isinstance(x, torch.Tensor)]
    plain = [
        (path or "value", f"a plain {type(leaf).__name__}")
        for path, leaf in leaves
        if not isinstance(leaf, torch.Tensor)
    ]
    bands = by_device(tensors, devices)
    page = Picture(TOP + 0.15 + tall([*bands.values(), *([plain] if plain else [])], ROW), title)
    page.tell(f"Device map, {title!r}.")

    def draw(level: float, item: Held) -> None:
        page.box(1.5, level - 0.16, WIDTH - 1.85, 0.32, edge=LINE)
        page.write(4.75, level, shortened(item.shape, 18), size=SMALL)
        page.write(6.2, level, item.dtype, size=SMALL)

    top = draw_bands(page, bands, ROW, draw, _described)
    if plain:
        height = tall([plain], ROW) - 0.12
        page.box(0.2, top, WIDTH - 0.4, height, fill="none", line=":")
        page.write(0.4, top + height / 2, "no device", **ASIDE)
        for row, (path, kind) in enumerate(plain):
            level = top + 0.08 + (row + 0.5) * ROW
            page.write(1.62, level, shortened(path, 31), family=MONO, size=SMALL)
            page.write(4.75, level, f"{kind}, not a tensor", **NOTE)
        page.tell(f"No device holds {listed(f'{path} ({kind})' for path, kind in plain)}.")
    return page


def _described(item: Held) -> str:
    return f"{item.path} (shape {item.shape}, {item.dtype}, {size_of(item.tensor.nbytes)})"


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
