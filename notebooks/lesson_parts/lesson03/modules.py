"""`module_map` and `name_map`: the tensors of a module after a move, and names for them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.figures.picture import INK, MONO, NOTE, SMALL, WIDTH, BoxStyle, Picture
from course_utils.words import counted, listed, shortened
from lesson_parts.bands import Held, by_device, device_style

ROW, TOP = 0.4, 0.95
FOUND = ("parameter", "buffer", "buffer, not saved")
"""The kinds of tensors that `Module.to` finds; it ignores all others."""
FRAMES: dict[bool, BoxStyle] = {
    True: {"edge": INK},
    False: {"edge": INK, "line": (0, (1, 2)), "fill": "none"},
}
MEMORIES, SAVED, TRAINED = (3.15, 6.3), 6.85, 7.75  # inches


def module_map(module: nn.Module, before: nn.Module | None = None) -> Picture:
    """A picture of the device of each tensor in `module`, and whether it is saved and trained.

    Parameters and buffers, which `to` finds, have a solid frame. Tensors in plain attributes, lists
    and dicts have a dotted one.

    before: an earlier version of the module, with the same tensors. Then only those are drawn that
        `to` does not find, now or there. An arrow begins where a tensor was there, and other
        changes are written as "no → yes".
    """
    rows, old = list(_survey(module)), {_key(x): x for x in (_survey(before) if before else ())}
    title = f"Left behind: {sum(map(_is_left, rows))} of {counted(len(rows), 'tensor')}"
    if before:
        rows = [item for item in rows if _is_left(item) or _is_left(old.get(_key(item), item))]
        if all(_is_left(item) == _is_left(old.get(_key(item), item)) for item in rows):
            rows, title = [], f"{title}, as in the picture before"
        else:
            title += f"; before, {sum(map(_is_left, old.values()))}"
    page = Picture(TOP + ROW * len(rows) + 0.55 if rows else 0.6, title)
    page.tell(f"{title}.")
    if not rows:
        page.tell("Your change moved no tensor to another device.")
        return page
    devices = [str(device) for device in by_device([*rows, *old.values()])]
    (left, right), low = MEMORIES, TOP + ROW * len(rows)
    wide = (right - left) / max(1, len(devices))
    for place, device in enumerate(devices):
        begin = left + place * wide
        page.box(begin + 0.04, TOP - 0.33, wide - 0.08, low - TOP + 0.4, **device_style(device))
        page.write(begin + wide / 2, TOP - 0.16, device, "center", weight="bold", family=MONO)
    page.write(SAVED, TOP - 0.16, "saved", "center", size=SMALL)
    page.write(TRAINED, TOP - 0.16, "trained", "center", size=SMALL)
    for number, item in enumerate(rows):
        level, was = TOP + (number + 0.5) * ROW, old.get(_key(item), item)
        page.write(0.25, level, shortened(item.path, 17), family=MONO)
        page.write(1.98, level, item.kind, size=SMALL)
        spots = [left + (devices.index(str(x.tensor.device)) + 0.5) * wide for x in (was, item)]
        page.box(spots[1] - 0.5, level - 0.14, 1, 0.28, **FRAMES[not _is_left(item)])
        page.write(spots[1], level, shortened(item.shape, 12), "center", size=SMALL)
        if spots[0] != spots[1]:
            page.box(spots[0] - 0.5, level - 0.14, 1, 0.28, **FRAMES[False])
            side = 0.5 if spots[0] < spots[1] else -0.5
            page.arrow((spots[0] + side, level), (spots[1] - side, level))
        words = [_change(*each) for each in zip(_kept(was), _kept(item), strict=True)]
        for x, word in zip((SAVED, TRAINED), words, strict=True):
            page.write(x, level, word, "center", weight="bold" if "yes" in word else "normal")
        moved = _change(str(was.tensor.device), str(item.tensor.device))
        page.tell(
            f"{item.path} ({item.kind}, shape {item.shape}): {moved}, saved: {words[0]}, "
            f"trained: {words[1]}."
        )
    for x, is_found, text in ((0.25, True, "found by to()"), (2.2, False, "left behind")):
        page.box(x, low + 0.22, 0.32, 0.18, **FRAMES[is_found])
        page.write(x + 0.42, low + 0.31, text, **NOTE)
    return page


def _is_left(item: Held) -> bool:
    return item.kind not in FOUND


def _key(item: Held) -> str:
    """The path as a state dict writes it: `layers.0.weight` also for a layer in a list."""
    return re.sub(r"\[(\w+)\]", r".\1", item.path)


def _kept(item: Held) -> tuple[str, str]:
    """Whether a state dict has the tensor, and whether `parameters()` has it: "yes" or "no"."""
    saved, trained = item.kind in ("parameter", "buffer"), item.kind == "parameter"
    return "yes" if saved else "no", "yes" if trained else "no"


def _change(old: str, new: str) -> str:
    return new if old == new else f"{old} → {new}"


def name_map(
    names: Mapping[str, torch.Tensor], before: Mapping[str, torch.Tensor], *, title: str
) -> Picture:
    """A picture of the tensor that each name refers to. Names of one object point to one box.

    before: what names referred to. For another object than now, a dashed arrow points to it.
    """
    held = {id(tensor): Held("", tensor) for tensor in names.values()}
    bands = by_device(held.values())
    page = Picture(0.75 + ROW * len(names) + 0.3 * len(bands), title)
    page.tell(f"{title}.")
    rows: dict[str, float] = {}
    middles: dict[int, float] = {}
    top = 0.65
    for device, items in bands.items():
        groups = [[name for name, x in names.items() if x is item.tensor] for item in items]
        height = ROW * sum(map(len, groups)) + 0.16
        page.box(2.9, top, WIDTH - 3.1, height, **device_style(device.type))
        page.write(7.1, top + height / 2, str(device), weight="bold", family=MONO)
        level = top + 0.08
        for item, group in zip(items, groups, strict=True):
            kind = "Parameter" if isinstance(item.tensor, nn.Parameter) else "tensor"
            tall = ROW * len(group)
            middles[id(item.tensor)] = level + tall / 2
            page.box(3.8, level + 0.04, 3.0, tall - 0.08, edge=INK)
            page.write(4.0, level + tall / 2, f"one {kind}, shape {item.shape}")
            rows |= {name: level + (number + 0.5) * ROW for number, name in enumerate(group)}
            page.tell(f"{listed(group)}: one {kind} on {device}, shape {item.shape}.")
            level += tall
        top += height + 0.14
    for name, y in rows.items():
        page.write(0.25, y, shortened(name, 22), family=MONO)
        page.arrow((2.35, y), (3.8, y))
        if name in before and before[name] is not names[name]:
            old = middles[id(before[name])]
            page.arrow((2.35, y - 0.05), (3.8, old + 0.08), linestyle="--")
            page.write(2.3, (y + old) / 2 - 0.02, "before", "right", size=SMALL, style="italic")
            page.tell(f"Before, {name} was another one, on {before[name].device}.")
    return page


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
