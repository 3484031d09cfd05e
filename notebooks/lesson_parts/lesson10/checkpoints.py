"""`file_map`: what a checkpoint contains. `load_map`: the way of state dicts into a model."""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path

import torch

from course_utils.figures.picture import (
    ASIDE,
    INK,
    MONO,
    ORANGE,
    SMALL,
    WIDTH,
    BarStyle,
    BoxStyle,
    Picture,
    TextStyle,
)
from course_utils.words import counted, shortened, size_of
from lesson_parts.bands import device_style
from lesson_parts.lesson10.saved import TaggedTensor, saved_in, tensors_of

MARKED: BarStyle = (ORANGE, None)
FILE: BoxStyle = {"fill": "#f6f8fa", "edge": INK}
LINE_OF_CODE: TextStyle = {"family": MONO, "size": 9}
TOP, ROW, FINE = 1.0, 0.44, 0.25

Row = tuple[str, str, str, str]
"""Of a file: a key, the names of tensors under it, their number and size, and their tag."""


def file_map(path: str | PathLike[str]) -> Picture:
    """A picture of a dict in a file, by key and tag, and of the devices that it is loaded onto.

    A cross marks a device that a computer without GPUs does not have.
    """
    name, rows = Path(path).name, list(_rows(saved_in(path)))
    bottom = TOP + ROW * len(rows)
    page = Picture(bottom + 0.5, f"Inside {name}, and where torch.load puts it")
    for left, width, text, style in (
        (0.2, 4.75, "the file: key, tensors, location tag", ASIDE),
        (5.2, 1.3, "torch.load(path)", LINE_OF_CODE),
        (6.75, 1.45, 'map_location="cpu"', LINE_OF_CODE),
    ):
        page.write(left + width / 2, 0.76, text, align="center", **style)
        page.box(left, TOP, width, ROW * len(rows), **(FILE if left < 1 else {"edge": INK}))
    page.tell(f"The file {name}, by key and location tag.")
    before = ""
    for place, (key, names, amount, tag) in enumerate(rows):
        level = TOP + ROW * (place + 0.5)
        if key != before:
            page.write(0.35, level, key, family=MONO, weight="bold")
        if place and key != before:
            page.line((0.2, level - ROW / 2), (4.95, level - ROW / 2))
        before = key
        if names:
            page.write(1.5, level - 0.09, shortened(names, 30), family=MONO, size=8.5)
        page.write(1.5, level + (0.11 if names else 0), amount, size=SMALL)
        page.tell(f"{key}: {names and names + ', '}{amount}{tag and f', tagged {tag}'}.")
        for middle, device in ((4.4, tag), (5.85, tag), (7.475, tag and "cpu")):
            if device:
                frame = device_style(device) if middle > 5 else BoxStyle(edge=INK)
                text = device + " ✗" * (middle == 5.85 and device != "cpu")
                cell = (middle - 0.48, level - 0.14, 0.96, 0.28)
                page.box(*cell, text, family=MONO, size=SMALL, **frame)
    last = "✗ an error on a computer without this GPU"
    page.write(WIDTH - 0.2, bottom + 0.25, last, align="right", size=SMALL)
    page.tell(
        "torch.load puts each tensor on the device of its tag, unless map_location names one."
    )
    return page


def _rows(content: Mapping[str, object]) -> Iterator[Row]:
    for key, value in content.items():
        by_tag: dict[str, list[tuple[str, TaggedTensor]]] = {}
        for name, found in tensors_of(value, key):
            by_tag.setdefault(found.tag, []).append((name, found))
        for tag, held in sorted(by_tag.items(), reverse=True):
            names = ", ".join(dict.fromkeys(name for name, _ in held if name != key))
            size = size_of(sum(found.nbytes for _, found in held))
            yield key, names, f"{counted(len(held), 'tensor')}, {size}", tag
        if not by_tag:
            yield key, "", f"{value!r}, not a tensor", ""


def load_map(
    before: str | PathLike[str], after: str | PathLike[str], model: torch.nn.Module
) -> Picture:
    """A picture of two files, and of the keys that lead from each into a model.

    An arrow leads from a key of a file to the same key of the model. A cross marks a key without a
    partner: unexpected in a file, missing in the model.
    """
    own = list(model.state_dict())
    files = [(Path(path).name, _keys(saved_in(path))) for path in (before, after)]
    tall = FINE * max(len(own), *(len(keys) for _, keys in files)) + 0.16
    page = Picture(TOP + tall + 0.65, "load_state_dict looks for equal names")
    device = str(next(iter(model.state_dict().values())).device)
    page.write(4.26, 0.76, f"the model, on {device}", "center", **ASIDE)
    page.box(3.3, TOP - 0.05, 1.92, tall, **device_style(device))
    page.tell(f"The model, on {device}: {', '.join(own)}.")
    for place, key in enumerate(own):
        page.write(3.38, TOP + 0.16 + FINE * place, key, family=MONO, size=8.5)
    for left, right, gate, sides, (name, keys) in zip(
        (0.15, 6.02), (2.52, 8.25), (2.56, 5.98), (3.26, 5.26), files, strict=True
    ):
        page.write((left + right) / 2, 0.76, name, "center", **ASIDE)
        page.box(left, TOP - 0.05, right - left, tall, **FILE)
        for place, key in enumerate(keys):
            level = TOP + 0.16 + FINE * place
            if prefix := [key.removesuffix(name) for name in own if key.endswith(f".{name}")]:
                page.bar(
                    left + 0.06, level - 0.09, 0.073 * len(prefix[0]), 0.18, MARKED, linewidth=0
                )
            page.write(left + 0.08, level, key, family=MONO, size=8.5)
            if key in own:
                page.arrow((gate, level), (sides, TOP + 0.16 + FINE * own.index(key)))
            else:
                page.write((gate * 3 + sides) / 4, level, "✗", "center", size=SMALL)
        for place, key in enumerate(own):
            if key not in keys:
                level = TOP + 0.16 + FINE * place
                page.write((gate + sides * 3) / 4, level, "✗", "center", size=SMALL)
        fit = len(set(keys) & set(own))
        text = f"{fit} of {counted(len(own), 'key')} fit"
        page.write((left + right) / 2, TOP + tall + 0.14, text, "center", weight="bold", size=SMALL)
        page.tell(f"The file {name}: {', '.join(keys)}. {text}.")
        if fit < len(own):
            page.write(left, TOP + tall + 0.38, "✗ unexpected: only in the file", size=SMALL)
    if any(set(own) - set(keys) for _, keys in files):
        page.write(3.3, TOP + tall + 0.38, "✗ missing: only in the model", size=SMALL)
    return page


def _keys(content: Mapping[str, object]) -> list[str]:
    return [name for name, _ in tensors_of(content.get("model", content))]
