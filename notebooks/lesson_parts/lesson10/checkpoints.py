"""`file_map`: what a checkpoint contains. `load_map`: the way of a state dict into a model."""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path

import torch

from course_utils.figures.picture import (
    ASIDE,
    INK,
    MONO,
    SMALL,
    WIDTH,
    BoxStyle,
    Picture,
    TextStyle,
)
from course_utils.words import counted, listed, shortened, size_of
from lesson_parts.bands import device_style
from lesson_parts.lesson10.saved import TaggedTensor, saved_in, tensors_of

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


def load_map(path: str | PathLike[str], model: torch.nn.Module) -> Picture:
    """A picture of a state dict on its way from a file into a model, key by key.

    An arrow leads from each key of the file to the same key of the model, if there is one.
    """
    name, tags = Path(path).name, dict(tensors_of(saved_in(path)))
    own = model.state_dict()
    device = str(next(iter(own.values())).device)
    lines = max(len(tags), len(own))
    page = Picture(TOP + FINE * lines + 0.5, f"From {name} into the model, key by key")
    left, right = (0.2, 3.2), (5.5, WIDTH - 0.2)
    tall = FINE * lines + 0.16
    tagged = listed(sorted({found.tag for found in tags.values()}))
    for (begin, end), what, style in (
        (left, f"the file, tagged {tagged}", FILE),
        (right, f"the model, on {device}", device_style(device)),
    ):
        page.write((begin + end) / 2, 0.76, what, align="center", **ASIDE)
        page.box(begin, TOP - 0.05, end - begin, tall, **style)
    page.write(4.35, 0.76, "load_state_dict", align="center", family=MONO, size=SMALL)
    levels = {key: TOP + 0.16 + FINE * place for place, key in enumerate(own)}
    for place, key in enumerate(tags):
        level = TOP + 0.16 + FINE * place
        page.write(left[0] + 0.12, level, key, family=MONO, size=SMALL)
        if key in own:
            page.arrow((left[1] + 0.04, level), (right[0] - 0.04, levels[key]))
        else:
            page.write(left[1] + 0.08, level, "✗ unexpected", size=SMALL)
    for key, level in levels.items():
        page.write(right[0] + 0.12, level, key, family=MONO, size=SMALL)
        if key not in tags:
            page.write(right[0] - 0.08, level, "missing ✗", align="right", size=SMALL)
    fit = len(tags.keys() & own.keys())
    page.tell(
        f"The file {name}, tagged {tagged}: {', '.join(tags)}. The model, on {device}: "
        f"{', '.join(own)}. {fit} of {counted(len(own), 'key')} of the model are in the file."
    )
    page.write(
        left[0], TOP + tall + 0.12, f"{fit} of {len(own)} keys fit", weight="bold", size=SMALL
    )
    return page
