"""`tag_map` and `load_map`: the tensors in a file of `torch.save`, and their path into a model."""

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from typing import Any

import torch
from torch.serialization import StorageType

from course_utils.figures.picture import (
    ASIDE,
    INK,
    MONO,
    NOTE,
    SMALL,
    BoxStyle,
    Picture,
    TextStyle,
    device_style,
)
from course_utils.words import counted, listed, shortened, size_of

ROW = 0.36
MOST_ROWS = 24
KEY_LENGTH = 44
"""The largest number of letters of a path in a `tag_map`."""

Sizes = dict[str, list[int]]
"""For each device, the bytes of each tensor on it; in a file, for each tag, of each storage."""


@dataclass(frozen=True)
class _Storage:
    """A storage in the file: its number there, its location tag, and its size in bytes."""

    number: str
    tag: str
    nbytes: int


@dataclass(frozen=True)
class _Saved:
    """A tensor in the file: a view of a storage."""

    storage: _Storage
    shape: tuple[int, ...]


def tag_map(path: str | PathLike[str], *, title: str = "What the file says") -> Picture:
    """A picture of the location tag of every storage in the file at `path`.

    No tensor is loaded and no code in the file is run, so the devices that it names may be missing.
    """
    held = list(_leaves(_contents(path), ""))
    shown = held[:MOST_ROWS]
    more = len(held) - len(shown)
    page = Picture(1.2 + max(1, len(shown) + (more > 0)) * ROW, title)
    heads = ((0.37, "tensor"), (4.0, "shape"), (5.15, "storage"), (6.35, "location tag"))
    for x, text in heads:
        page.write(x, 0.72, text, **ASIDE)
    for row, (name, saved) in enumerate(shown):
        level, storage = 0.95 + (row + 0.5) * ROW, saved.storage
        page.box(0.25, level - 0.15, 5.85, 0.3)
        page.write(0.37, level, shortened(name, KEY_LENGTH), family=MONO, size=SMALL)
        page.write(4.0, level, str(saved.shape), size=SMALL)
        about = f"{storage.number}: {size_of(storage.nbytes)}"
        page.write(5.15, level, shortened(about, 14), **NOTE)
        tag: TextStyle = {"weight": "bold", "family": MONO}
        page.box(
            6.3,
            level - 0.15,
            1.85,
            0.3,
            storage.tag,
            round_=0.14,
            **device_style(storage.tag),
            **tag,
        )
    if not held:
        text = "no tensor in this file"
        page.write(0.37, 0.95 + ROW / 2, text, **ASIDE)
    if more:
        page.write(0.37, 0.95 + (len(shown) + 0.5) * ROW, f"… and {more} more")
    storages = {saved.storage.number: saved.storage for _, saved in held}
    page.tell(
        f"Tag map, {title!r}. {counted(len(held), 'tensor')} in "
        f"{counted(len(storages), 'storage')}."
    )
    for tagged in dict.fromkeys(storage.tag for storage in storages.values()):
        inside = listed(
            f"{name} (shape {saved.shape}, storage {saved.storage.number}, "
            f"{size_of(saved.storage.nbytes)})"
            for name, saved in held
            if saved.storage.tag == tagged
        )
        page.tell(f"Tagged {tagged}: {inside}.")
    return page


def load_map(
    path: str | PathLike[str],
    loaded: Mapping[str, torch.Tensor],
    model: torch.nn.Module,
    device: torch.device | str,
    *,
    title: str = "From a file into a model",
) -> Picture:
    """A picture of the path of a state dict: from the file into `loaded`, `model`, and to `device`.

    loaded: the result of `torch.load`. model: after `load_state_dict`, before `to(device)`.
    """
    storages = {saved.storage.number: saved.storage for _, saved in _leaves(_contents(path), "")}
    own = model.state_dict().values()
    read = _by_device((x.device, x) for x in loaded.values())
    stages = (
        ("the loaded tensors", "torch.load", "", read),
        ("the model", "load_state_dict", "copies values", _by_device((x.device, x) for x in own)),
        ("the model", "to(device)", "", _by_device((device, x) for x in own)),
    )
    in_file = _by_device((storage.tag, storage) for storage in storages.values())
    rows = max(len(held) for held in (in_file, *(held for *_, held in stages)))
    page = Picture(1.3 + rows * 0.78, title)
    width, tall = 1.12, rows * 0.78 + 0.15

    def draw(left: float, name: str, held: Sizes, what: str, frame: BoxStyle) -> None:
        middle = left + width / 2
        page.write(middle, 0.72, name, align="center", **ASIDE)
        page.box(left, 0.9, width, tall, **frame)
        for row, (where, sizes) in enumerate(held.items()):
            level = 1.14 + row * 0.78
            page.write(middle, level, where, align="center", family=MONO, weight="bold")
            about = (counted(len(sizes), what), size_of(sum(sizes)))
            for line, text in enumerate(about, 1):
                page.write(middle, level + 0.21 * line, text, align="center", size=SMALL)

    dashed: BoxStyle = {"fill": "#f6f8fa", "edge": INK, "line": (0, (5, 2))}
    draw(0.25, "the file", in_file, "storage", dashed)
    tagged = listed(
        f"{counted(len(sizes), 'storage')} tagged {tag} ({size_of(sum(sizes))})"
        for tag, sizes in in_file.items()
    )
    page.tell(f"Load map, {title!r}. The file: {tagged}.")
    left, level = 0.25, 0.9 + tall / 2
    for name, step, remark, held in stages:
        page.arrow((left + width + 0.04, level), (left + 2.22, level))
        middle = left + width + 0.57
        page.write(middle, level - 0.17, step, size=8, align="center", family=MONO)
        if remark:
            page.write(middle, level + 0.17, remark, size=8, align="center")
        left += 2.26
        draw(left, name, held, "tensor", {"edge": INK})
        placed = listed(
            f"{len(sizes)} on {where} ({size_of(sum(sizes))})" for where, sizes in held.items()
        )
        page.tell(f"After {step}, {name}: {placed}.")
    return page


def _by_device(
    placed: Iterable[tuple[torch.device | str, torch.Tensor | _Storage]],
) -> Sizes:
    found: Sizes = {}
    for device, item in placed:
        found.setdefault(str(device), []).append(item.nbytes)
    return dict(sorted(found.items()))


def _contents(path: str | PathLike[str]) -> Any:
    """The pickled object of the file, with a `_Saved` for each tensor."""
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not a zip file, as torch.save writes them since version 1.6")
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        with archive.open(name) as pickled:
            return _Reader(pickled).load()


class _Reader(pickle.Unpickler):
    """Reads only the structure: each class or function in the file is replaced by a record."""

    def persistent_load(self, pid: Any) -> _Storage:
        _, kind, number, tag, count = pid
        width = 1  # the size of an untyped storage is in bytes
        with suppress(KeyError):
            width = StorageType(kind.__name__).dtype.itemsize
        return _Storage(number, tag, count * width)

    def find_class(self, module: str, name: str) -> Any:
        if name.startswith("_rebuild_tensor"):
            return lambda storage, offset, size, *rest: _Saved(storage, tuple(size))
        if name.startswith("_rebuild_parameter"):
            return lambda tensor, *rest: tensor
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        return type(name, (_Unknown,), {})


class _Unknown:
    """Replaces an object whose class is not looked up."""

    def __init__(self, *_: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.__dict__["state"] = state


_DRAWERS = ("_modules", "_parameters", "_buffers")
"""Attributes in which a pickled module keeps its parts; they are left out of paths."""


def _leaves(value: Any, path: str) -> Iterator[tuple[str, _Saved]]:
    """Every tensor with its path: `weight`, or `model > weight` further inside."""
    if isinstance(value, _Saved):
        yield path or "tensor", value
    items: Mapping[Any, Any] = {}
    if isinstance(value, Mapping):
        items = value
    elif isinstance(value, (list, tuple)):
        items = dict(enumerate(value))
    elif isinstance(value, _Unknown):
        yield from _leaves(value.__dict__.get("state"), path)
    for key, item in items.items():
        step = f"{path} > {key}" if path else str(key)
        yield from _leaves(item, path if key in _DRAWERS else step)
