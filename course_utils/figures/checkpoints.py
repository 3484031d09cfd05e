"""`key_map` and `tag_map`: what a file of `torch.save` holds, and whether it fits a model."""

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, BinaryIO

import torch
from matplotlib.figure import Figure

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    counted,
    listed,
    sheet,
    shortened,
    size_of,
    write,
)

ROW = 0.36
MOST_ROWS = 24
KEY_LENGTH = 44
"""Letters of a path in a `tag_map`."""
SIDE_LENGTH = 39
"""Letters of a key and its shape, on one side of a `key_map`."""

# ---------------------------------------------------------------- key_map

_SIGNS = {"matched": "=", "missing": "?", "unexpected": "+", "size": "≠"}
_FILLS = {"matched": "#e4f1df", "missing": "#ffffff", "unexpected": "#fff8dc", "size": "#f6dcd6"}


@dataclass(frozen=True)
class _Pair:
    """One row: a key of the model, one of the state dict, or one that both have."""

    kind: str
    key: str
    wanted: tuple[int, ...] | None
    found: tuple[int, ...] | None


def key_map(
    model: torch.nn.Module, state_dict: Mapping[str, torch.Tensor], *, title: str = "Keys, compared"
) -> Picture:
    """Draw the keys of `model` beside those of `state_dict`: matched, missing, unexpected.

    A key that both have with different shapes is a row of its own kind.
    """
    pairs = _compare(model.state_dict(), state_dict)
    return Picture(_draw_keys(title, pairs), _describe_keys(title, pairs))


def _compare(
    wanted: Mapping[str, torch.Tensor], found: Mapping[str, torch.Tensor]
) -> list[_Pair]:
    pairs = []
    for key, tensor in wanted.items():
        shape = tuple(tensor.shape)
        other = tuple(found[key].shape) if key in found else None
        kind = "missing" if other is None else "matched" if other == shape else "size"
        pairs.append(_Pair(kind, key, shape, other))
    rest = [key for key in found if key not in wanted]
    return pairs + [_Pair("unexpected", key, None, tuple(found[key].shape)) for key in rest]


def _draw_keys(title: str, pairs: list[_Pair]) -> Figure:
    shown = pairs[:MOST_ROWS]
    height = 1.2 + len(shown) * ROW + (ROW if len(pairs) > len(shown) else 0)
    figure, axes = sheet(height, title)
    width = (WIDTH - 1.7) / 2
    right = WIDTH - 0.25 - width
    for x, text in ((0.25 + width / 2, "the model's keys"), (right + width / 2, "the file's keys")):
        write(axes, x, 0.72, text, color=QUIET, align="center", style="italic")
    for row, pair in enumerate(shown):
        level = 0.95 + (row + 0.5) * ROW
        for left, shape in ((0.25, pair.wanted), (right, pair.found)):
            _draw_key(axes, left, level, width, pair, shape)
        write(axes, WIDTH / 2, level - 0.02, _SIGNS[pair.kind], align="center", weight="bold")
    if len(pairs) > len(shown):
        left_out = f"… and {len(pairs) - len(shown)} more"
        write(axes, WIDTH / 2, 0.95 + (len(shown) + 0.5) * ROW, left_out, align="center")
    return figure


def _draw_key(
    axes: Any, left: float, level: float, width: float, pair: _Pair, shape: tuple[int, ...] | None
) -> None:
    """One side of a row: the key and its shape, or the gap where it is not."""
    if shape is None:
        box(axes, left, level - 0.15, width, 0.3, fill="none", line=":")
        word = "missing in the file" if pair.kind == "missing" else "not in the model: unexpected"
        write(axes, left + 0.12, level, word, size=SMALL, color=QUIET, style="italic")
        return
    line = "-" if pair.kind == "matched" else (0, (5, 2))
    box(axes, left, level - 0.15, width, 0.3, fill=_FILLS[pair.kind], edge=INK, line=line)
    key = shortened(pair.key, SIDE_LENGTH - len(str(shape)))
    write(axes, left + 0.12, level, key, family=MONO, size=SMALL)
    write(axes, left + width - 0.1, level, str(shape), size=SMALL, color=QUIET, align="right")


def _describe_keys(title: str, pairs: list[_Pair]) -> str:
    of = {kind: [pair for pair in pairs if pair.kind == kind] for kind in _SIGNS}
    parts = [
        f"Key map, {title!r}. {len(of['matched'])} matched, {len(of['missing'])} missing, "
        f"{len(of['unexpected'])} unexpected, {len(of['size'])} of another size."
    ]
    for kind, lead in (
        ("matched", "Matched"),
        ("missing", "Missing in the file"),
        ("unexpected", "Unexpected in the file"),
    ):
        if of[kind]:
            parts.append(f"{lead}: {listed(pair.key for pair in of[kind])}.")
    for pair in of["size"]:
        parts.append(f"{pair.key} is {pair.wanted} in the model and {pair.found} in the file.")
    return " ".join(parts)


# ---------------------------------------------------------------- tag_map


@dataclass(frozen=True)
class _Storage:
    """A storage in the file: its number there, its location tag, its size."""

    number: str
    tag: str
    nbytes: int


@dataclass(frozen=True)
class _Saved:
    """A tensor in the file: it looks into a storage."""

    storage: _Storage
    shape: tuple[int, ...]


def tag_map(path: str | PathLike[str], *, title: str = "What the file says") -> Picture:
    """Draw the location tag of every storage in the file at `path`, read from the file itself.

    Nothing is loaded and nothing in the file is run, so no device that it names has to exist.
    """
    held = list(_leaves(_contents(path), ""))
    return Picture(_draw_tags(title, held), _describe_tags(title, held))


def _contents(path: str | PathLike[str]) -> Any:
    """The pickled object of the file, with a `_Saved` for each tensor."""
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not a zip file, as torch.save writes them since version 1.6")
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        with archive.open(name) as pickled:
            return _Reader(pickled).load()


class _Reader(pickle.Unpickler):
    """Reads the structure only: whatever class or function the file names, a record is made."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)  # type: ignore[arg-type]

    def persistent_load(self, pid: Any) -> _Storage:
        _, kind, number, tag, count = pid
        width = _WIDTHS.get(kind.__name__, 1)
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
    """Stands for an object whose class is not looked up."""

    def __init__(self, *_: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.__dict__["state"] = state


_WIDTHS = {
    f"{name}Storage": width
    for width, names in {
        8: ("Double", "Long", "ComplexFloat"),
        4: ("Float", "Int"),
        2: ("Half", "BFloat16", "Short"),
        16: ("ComplexDouble",),
    }.items()
    for name in names
}


_DRAWERS = ("_modules", "_parameters", "_buffers")
"""Where a pickled module keeps its parts: a step that says nothing."""


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


def _draw_tags(title: str, held: list[tuple[str, _Saved]]) -> Figure:
    shown = held[:MOST_ROWS]
    more = len(held) - len(shown)
    figure, axes = sheet(1.2 + max(1, len(shown) + (more > 0)) * ROW, title)
    heads = ((0.37, "tensor"), (4.0, "shape"), (5.15, "storage"), (6.35, "location tag"))
    for x, text in heads:
        write(axes, x, 0.72, text, color=QUIET, style="italic")
    for row, (path, saved) in enumerate(shown):
        level = 0.95 + (row + 0.5) * ROW
        storage = saved.storage
        box(axes, 0.25, level - 0.15, 5.85, 0.3, edge=LINE)
        write(axes, 0.37, level, shortened(path, KEY_LENGTH), family=MONO, size=SMALL)
        write(axes, 4.0, level, str(saved.shape), size=SMALL)
        about = f"{storage.number}: {size_of(storage.nbytes)}"
        write(axes, 5.15, level, shortened(about, 14), size=SMALL, color=QUIET)
        fill, line = ("#eef1f4", "-") if storage.tag == "cpu" else ("#e4f1df", (0, (5, 2)))
        box(axes, 6.3, level - 0.15, 1.85, 0.3, fill=fill, edge=INK, line=line, round_=0.14)
        write(axes, 7.22, level, storage.tag, weight="bold", family=MONO, align="center")
    if not held:
        write(axes, 0.37, 0.95 + ROW / 2, "no tensor in this file", color=QUIET, style="italic")
    if more:
        write(axes, 0.37, 0.95 + (len(shown) + 0.5) * ROW, f"… and {more} more")
    return figure


def _describe_tags(title: str, held: list[tuple[str, _Saved]]) -> str:
    storages = {saved.storage.number: saved.storage for _, saved in held}
    parts = [
        f"Tag map, {title!r}. {counted(len(held), 'tensor')} in "
        f"{counted(len(storages), 'storage')}."
    ]
    for tag in dict.fromkeys(storage.tag for storage in storages.values()):
        inside = listed(
            f"{path} (shape {saved.shape}, storage {saved.storage.number}, "
            f"{size_of(saved.storage.nbytes)})"
            for path, saved in held
            if saved.storage.tag == tag
        )
        parts.append(f"Tagged {tag}: {inside}.")
    return " ".join(parts)
