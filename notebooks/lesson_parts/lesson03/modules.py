"""`module_map`: a drawing of the tensors of a module, and of those that `to` finds."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from course_utils.figures.picture import INK, LINE, NOTE, SMALL, WIDTH, BoxStyle, Picture
from course_utils.words import listed, shortened
from lesson_parts.bands import TOP, Held, by_device, draw_bands, tall

ROW = 0.36
FOUND = ("parameter", "buffer", "buffer, not saved")
"""The kinds of tensors that `Module.to` finds; it ignores all others."""
FRAMES: dict[bool, BoxStyle] = {
    True: {"edge": INK},
    False: {"edge": LINE, "line": ":", "fill": "none"},
}


def module_map(module: nn.Module, *, title: str = "Where the module is") -> Picture:
    """A picture of the device of each tensor in `module`.

    Parameters and buffers, which `to` finds, have a solid frame. Tensors in plain attributes, lists
    and dicts have a dotted one.
    """
    held = list(_survey(module))
    bands = by_device(held)
    page = Picture(TOP + 0.4 + tall(bands.values(), ROW), title)
    page.tell(f"Module map, {title!r}.")

    def draw(level: float, item: Held) -> None:
        found = item.kind in FOUND
        page.box(1.5, level - 0.145, WIDTH - 1.85, 0.29, **FRAMES[found])
        page.write(4.12, level, item.kind, size=SMALL, style="normal" if found else "italic")
        page.write(5.6, level, shortened(item.shape, 12), size=SMALL)
        page.write(6.55, level, item.dtype, size=SMALL)

    level = draw_bands(page, bands, ROW, draw, _described) + 0.16
    for x, found, text in ((1.5, True, "moved by the module's to()"), (4.3, False, "left behind")):
        page.box(x, level - 0.09, 0.32, 0.18, **FRAMES[found])
        page.write(x + 0.42, level, text, **NOTE)
    passed = [item.path for each in bands.values() for item in each if item.kind not in FOUND]
    if passed:
        page.tell(f"The module's `to` does not find {listed(passed)}.")
    return page


def _described(item: Held) -> str:
    return f"{item.path} ({item.kind}, shape {item.shape}, {item.dtype})"


def _survey(module: nn.Module) -> Iterator[Held]:
    """The tensors of the module: first the registered ones, then the rest."""
    for path, parameter in module.named_parameters():
        yield Held(path, parameter, "parameter")
    parts = dict(module.named_modules())
    for path, buffer in module.named_buffers():
        owner, _, leaf = path.rpartition(".")
        unsaved = leaf in parts[owner]._non_persistent_buffers_set
        yield Held(path, buffer, "buffer, not saved" if unsaved else "buffer")
    for prefix, part in parts.items():
        for name, value in vars(part).items():
            if not name.startswith("_"):
                yield from _unregistered(value, f"{prefix}.{name}" if prefix else name)


def _unregistered(value: Any, path: str, kind: str = "plain attribute") -> Iterator[Held]:
    """The tensors in an attribute that the module has not registered."""
    if isinstance(value, torch.Tensor):
        yield Held(path, value, kind)
    elif isinstance(value, nn.Module):
        for item in _survey(value):
            yield Held(f"{path}.{item.path}", item.tensor, kind)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _unregistered(item, f"{path}[{index}]", f"in a {type(value).__name__}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _unregistered(item, f"{path}[{key!r}]", "in a dict")
