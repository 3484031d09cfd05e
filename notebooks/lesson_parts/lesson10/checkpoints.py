"""`load_map`: the tensors in a file of `torch.save`, and their path into a model."""

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from typing import IO, Any

import torch
from torch.serialization import StorageType

from course_utils.figures.picture import (
    ASIDE,
    INK,
    MONO,
    SMALL,
    BoxStyle,
    Picture,
)
from course_utils.words import counted, listed, size_of

Sizes = dict[str, list[int]]
"""For each device, the bytes of each tensor on it; in a file, for each tag, of each storage."""


@dataclass(frozen=True)
class _Storage:
    """A storage in the file: its number there, its location tag, and its size in bytes."""

    number: str
    tag: str
    nbytes: int


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
    storages = _storages(path)
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


def _storages(path: str | PathLike[str]) -> dict[str, _Storage]:
    """The storages in the file, by number. No tensor is made, and no code in the file runs."""
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        with archive.open(name) as pickled:
            reader = _Reader(pickled)
            reader.load()
            return reader.storages


class _Reader(pickle.Unpickler):
    """Notes the storages of a file, and replaces each class or function in it by an empty one."""

    def __init__(self, pickled: IO[bytes]) -> None:
        super().__init__(pickled)
        self.storages: dict[str, _Storage] = {}

    def persistent_load(self, pid: Any) -> None:
        _, kind, number, tag, count = pid
        width = 1  # the size of an untyped storage is in bytes
        with suppress(KeyError):
            width = StorageType(kind.__name__).dtype.itemsize
        self.storages[number] = _Storage(number, tag, count * width)

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        return type(name, (_Unknown,), {})


class _Unknown:
    """Replaces an object whose class is not looked up."""

    def __init__(self, *_: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        pass
