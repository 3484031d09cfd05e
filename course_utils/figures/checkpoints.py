"""`tag_map`, `load_map` and `key_map`: what a file of `torch.save` holds, where its tensors go, and
whether their names fit a model.
"""

import pickle
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from os import PathLike
from typing import Any

import torch
from matplotlib.figure import Figure

from course_utils.figures.picture import (
    FONT,
    INK,
    LINE,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    arrow,
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

# ---------------------------------------------------------------- key_map

_SIGNS = {"matched": "=", "renamed": "≈", "missing": "?", "unexpected": "+", "size": "≠"}
_FILLS = {
    "matched": "#e4f1df",
    "renamed": "#ffffff",
    "missing": "#ffffff",
    "unexpected": "#fff8dc",
    "size": "#f6dcd6",
}
_LETTER = 0.602 * SMALL / 72
"""Inches: how wide a letter of a key is."""


@dataclass(frozen=True)
class _Side:
    """A key as the model or the file has it."""

    key: str
    shape: tuple[int, ...]
    prefix: str = ""


@dataclass(frozen=True)
class _Pair:
    """One row: a key of the model, one of the file, or two that belong together."""

    kind: str
    wanted: _Side | None
    found: _Side | None


@dataclass(frozen=True)
class _Comparison:
    """The rows, and the keys that `load_state_dict` would call missing, unexpected or misshapen."""

    pairs: list[_Pair]
    missing: list[str]
    unexpected: list[str]
    resized: list[str]

    @property
    def matched(self) -> list[str]:
        return [pair.wanted.key for pair in self.pairs if pair.kind == "matched" and pair.wanted]

    @property
    def forgiven(self) -> list[str]:
        """Keys of the model that the file lacks, and that load_state_dict does not ask for."""
        fitting = {*self.missing, *self.resized, *self.matched}
        keys = [pair.wanted.key for pair in self.pairs if pair.wanted]
        return [key for key in keys if key not in fitting]

    @property
    def counts(self) -> str:
        text = (
            f"{len(self.matched)} matched, {len(self.missing)} missing, "
            f"{len(self.unexpected)} unexpected, {len(self.resized)} of another size"
        )
        return text + (f", {len(self.forgiven)} forgiven" if self.forgiven else "")


def key_map(
    model: torch.nn.Module, state_dict: Mapping[str, torch.Tensor], *, title: str = "Keys, compared"
) -> Picture:
    """Draw the keys of `model` beside those of `state_dict`: matched, missing, unexpected.

    Two keys that differ by a prefix only share a row, and the prefix is marked. A key that both
    have with different shapes is a row of its own kind. The counts are those of `load_state_dict`,
    which forgives the absence of some keys.
    """
    compared = _compare(model, state_dict)
    return Picture(_draw_keys(title, compared), _describe_keys(title, compared))


def _compare(model: torch.nn.Module, found: Mapping[str, torch.Tensor]) -> _Comparison:
    wanted = model.state_dict()
    shared = [key for key in wanted if key in found]
    resized = [key for key in shared if wanted[key].shape != found[key].shape]
    missing, unexpected = _refused(model, found, resized)
    lacking = [key for key in wanted if key not in shared]
    extra = [key for key in found if key not in wanted]
    partners = _partners(lacking, extra)
    pairs = []
    for key, tensor in wanted.items():
        other = partners.get(key, key)
        if key in shared:
            kind = "size" if key in resized else "matched"
        else:
            kind = "renamed" if key in partners else "missing"
        pairs.append(_Pair(kind, _side(key, tensor, other), _side(other, found.get(other), key)))
    rest = [key for key in extra if key not in partners.values()]
    pairs += [_Pair("unexpected", None, _side(key, found[key], key)) for key in rest]
    return _Comparison(pairs, missing, unexpected, resized)


def _refused(
    model: torch.nn.Module, found: Mapping[str, torch.Tensor], resized: list[str]
) -> tuple[list[str], list[str]]:
    """The two lists of `load_state_dict`, which knows best: a copy of the model loads."""
    fitting = OrderedDict((key, found[key]) for key in found if key not in resized)
    if hasattr(found, "_metadata"):
        fitting._metadata = found._metadata  # type: ignore[attr-defined]
    result = deepcopy(model).load_state_dict(fitting, strict=False)
    return [key for key in result.missing_keys if key not in resized], result.unexpected_keys


def _partners(lacking: list[str], extra: list[str]) -> dict[str, str]:
    """For keys of the model, those of the file that differ by one prefix: the most frequent one."""
    found: dict[tuple[str, bool], dict[str, str]] = {}
    for key in lacking:
        for other in extra:
            longer, shorter = (other, key) if len(other) > len(key) else (key, other)
            if longer.endswith("." + shorter):
                prefix = longer.removesuffix(shorter)
                found.setdefault((prefix, longer is other), {})[key] = other
    return max(found.values(), key=len, default={})


def _side(key: str, tensor: torch.Tensor | None, other: str) -> _Side | None:
    if tensor is None:
        return None
    prefix = key.removesuffix(other) if key.endswith("." + other) else ""
    return _Side(key, tuple(tensor.shape), prefix)


def _draw_keys(title: str, compared: _Comparison) -> Figure:
    pairs = compared.pairs
    shown = pairs[:MOST_ROWS]
    height = 1.5 + len(shown) * ROW + (ROW if len(pairs) > len(shown) else 0)
    figure, axes = sheet(height, title)
    width = (WIDTH - 1.0) / 2
    right = WIDTH - 0.25 - width
    for x, text in ((0.25 + width / 2, "the model's keys"), (right + width / 2, "the file's keys")):
        write(axes, x, 0.72, text, color=QUIET, align="center", style="italic")
    for row, pair in enumerate(shown):
        level = 0.95 + (row + 0.5) * ROW
        forgiven = pair.wanted is not None and pair.wanted.key in compared.forgiven
        for left, side in ((0.25, pair.wanted), (right, pair.found)):
            _draw_key(axes, left, level, width, pair.kind, side, forgiven and side is pair.wanted)
        write(axes, WIDTH / 2, level - 0.02, _SIGNS[pair.kind], align="center", weight="bold")
    if len(pairs) > len(shown):
        left_out = f"… and {len(pairs) - len(shown)} more"
        write(axes, WIDTH / 2, 0.95 + (len(shown) + 0.5) * ROW, left_out, align="center")
    write(axes, 0.25, height - 0.25, f"load_state_dict: {compared.counts}", size=SMALL)
    return figure


def _draw_key(
    axes: Any,
    left: float,
    level: float,
    width: float,
    kind: str,
    side: _Side | None,
    forgiven: bool,
) -> None:
    """One side of a row: the key and its shape, or the gap where it is not."""
    if side is None:
        box(axes, left, level - 0.15, width, 0.3, fill="none", line=":")
        word = "missing in the file" if kind == "missing" else "not in the model: unexpected"
        write(axes, left + 0.12, level, word, size=SMALL, color=QUIET, style="italic")
        return
    line = "-" if kind == "matched" else (0, (5, 2))
    box(axes, left, level - 0.15, width, 0.3, fill=_FILLS[kind], edge=INK, line=line)
    note = "forgiven" if forgiven else str(side.shape)
    key = shortened(side.key, int((width - 0.36) / _LETTER) - len(note))
    marked, rest = key[: len(side.prefix)], key[len(side.prefix) :]
    start = left + 0.12
    if marked:
        wide = len(marked) * _LETTER + 0.05
        box(axes, start - 0.04, level - 0.11, wide, 0.22, fill=INK, edge=INK)
        write(axes, start, level, marked, family=MONO, size=SMALL, color=PANEL, weight="bold")
        start += 0.06
    write(axes, start + len(marked) * _LETTER, level, rest, family=MONO, size=SMALL)
    write(axes, left + width - 0.1, level, note, size=SMALL, color=QUIET, align="right")


def _describe_keys(title: str, compared: _Comparison) -> str:
    parts = [f"Key map, {title!r}. {compared.counts}."]
    for keys, lead in (
        (compared.matched, "Matched"),
        (compared.missing, "Missing in the file"),
        (compared.forgiven, "Not in the file, and forgiven"),
        (compared.unexpected, "Unexpected in the file"),
    ):
        if keys:
            parts.append(f"{lead}: {listed(keys)}.")
    both = [(each.kind, each.wanted, each.found) for each in compared.pairs]
    shared = [(kind, wanted, found) for kind, wanted, found in both if wanted and found]
    renamed = [(wanted, found) for kind, wanted, found in shared if kind == "renamed"]
    for wanted, found in renamed[:1]:
        owner, prefix = ("model", wanted.prefix) if wanted.prefix else ("file", found.prefix)
        pairs = counted(len(renamed), "pair")
        parts.append(f"Alike but for the prefix {prefix} of the {owner}'s keys: {pairs}.")
    for kind, wanted, found in shared:
        if kind == "size":
            parts.append(
                f"{wanted.key} is {wanted.shape} in the model and {found.shape} in the file."
            )
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


# ---------------------------------------------------------------- load_map


@dataclass(frozen=True)
class _Stage:
    """Where a state dict is on its way: how many tensors, and bytes, each device has.

    In the file they are storages, and the devices are tags.
    """

    name: str
    step: str
    tensors: Counter[str]
    nbytes: Counter[str]


def load_map(
    path: str | PathLike[str],
    loaded: Mapping[str, torch.Tensor],
    model: torch.nn.Module,
    device: torch.device | str,
    *,
    title: str = "From a file into a model",
) -> Picture:
    """Draw the way of a state dict: from the file into `loaded`, `model`, and on to `device`.

    loaded: what `torch.load` returned. model: after `load_state_dict`, before `to(device)`.
    """
    storages = {saved.storage.number: saved.storage for _, saved in _leaves(_contents(path), "")}
    tags = ((storage.tag, storage.nbytes) for storage in storages.values())
    own = model.state_dict().values()
    stages = [
        _stage("file", "", tags),
        _stage("loaded tensors", "torch.load", _placed(loaded.values())),
        _stage("model", "load_state_dict\ncopies values", _placed(own)),
        _stage("model", "to(device)", ((str(device), x.nbytes) for x in own)),
    ]
    return Picture(_draw_stages(title, stages), _describe_stages(title, stages))


def _placed(tensors: Iterable[torch.Tensor]) -> Iterator[tuple[str, int]]:
    return ((str(tensor.device), tensor.nbytes) for tensor in tensors)


def _stage(name: str, step: str, placed: Iterable[tuple[str, int]]) -> _Stage:
    tensors, nbytes = Counter[str](), Counter[str]()
    for device, size in placed:
        tensors[device] += 1
        nbytes[device] += size
    return _Stage(name, step, tensors, nbytes)


def _draw_stages(title: str, stages: list[_Stage]) -> Figure:
    rows = max(len(stage.tensors) for stage in stages)
    height = 1.3 + rows * 0.78
    figure, axes = sheet(height, title)
    width, gap = 1.12, 1.14
    for number, stage in enumerate(stages):
        left = 0.25 + number * (width + gap)
        middle, in_file = left + width / 2, number == 0
        name = f"the {stage.name}"
        write(axes, middle, 0.72, name, align="center", style="italic", color=QUIET)
        box(
            axes,
            left,
            0.9,
            width,
            height - 1.15,
            fill="#f6f8fa" if in_file else PANEL,
            edge=INK,
            line=(0, (5, 2)) if in_file else "-",
        )
        for row, (device, count) in enumerate(sorted(stage.tensors.items())):
            level = 1.14 + row * 0.78
            write(axes, middle, level, device, align="center", family=MONO, weight="bold")
            what = "storage" if in_file else "tensor"
            about = (counted(count, what), size_of(stage.nbytes[device]))
            for line, text in enumerate(about, 1):
                write(axes, middle, level + 0.21 * line, text, align="center", size=SMALL)
        if number:
            _draw_step(axes, left - gap, left, 0.9 + (height - 1.15) / 2, stage.step)
    return figure


def _draw_step(axes: Any, left: float, right: float, level: float, step: str) -> None:
    arrow(axes, (left + 0.04, level), (right - 0.04, level))
    for row, line in enumerate(step.split("\n")):
        write(
            axes,
            (left + right) / 2,
            level - 0.17 if row == 0 else level + 0.17,
            line,
            size=8,
            align="center",
            family=MONO if row == 0 else FONT,
        )


def _describe_stages(title: str, stages: list[_Stage]) -> str:
    file, *others = stages
    tagged = listed(
        f"{counted(count, 'storage')} tagged {tag} ({size_of(file.nbytes[tag])})"
        for tag, count in sorted(file.tensors.items())
    )
    parts = [f"Load map, {title!r}. The file: {tagged}."]
    for stage in others:
        placed = listed(
            f"{count} on {device} ({size_of(stage.nbytes[device])})"
            for device, count in sorted(stage.tensors.items())
        )
        parts.append(f"After {stage.step.split()[0]}, the {stage.name}: {placed}.")
    return " ".join(parts)
