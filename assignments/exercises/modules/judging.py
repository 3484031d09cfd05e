"""Described modules, made from plain words: what a module holds, under which name, and where."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Raises

Entry = dict[str, str]

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")
_PARTS = ("encoder", "decoder", "stem", "neck", "trunk")

# Only modules are called so here, and no tensor, list or tuple lacks a device under these names.
NO_DEVICE = tuple(
    Raises("no-device-attribute", "AttributeError", f"'{kind}' object has no attribute 'device'")
    for kind in ("Module", "Linear", "Shift", "ReLU", "Sequential")
)


def entry(name: str, kind: str, device: str) -> Entry:
    """One tensor of a module, of kind "parameter", "buffer", "temporary", "attribute", "listed"."""
    return {"name": name, "kind": kind, "device": device}


def linear(part: str, device: str) -> list[Entry]:
    """What a `Linear` called `part` holds."""
    return [entry(f"{part}.{leaf}", "parameter", device) for leaf in ("weight", "bias")]


def registered(entries: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """The parameters, then the buffers, in the order in which `torch` names them.

    That is the order of the submodules, each with its own tensors in turn.
    """
    parts = list(dict.fromkeys(e["name"].rpartition(".")[0] for e in entries))
    kinds = (("parameter",), ("buffer", "temporary"))
    return [
        e
        for wanted in kinds
        for part in parts
        for e in entries
        if e["kind"] in wanted and e["name"].rpartition(".")[0] == part
    ]


def two_gpus(rng: random.Random) -> list[str]:
    """Two different GPUs, neither of them the current one."""
    return rng.sample(GPUS[1:], 2)


def some_parts(rng: random.Random, count: int) -> list[str]:
    """Names for submodules, all different."""
    return rng.sample(_PARTS, count)


def whole_numbers(rng: random.Random, rows: int, columns: int) -> list[list[float]]:
    """A matrix of small whole numbers other than zero: they multiply and add up exactly."""
    choices = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
    return [[rng.choice(choices) for _ in range(columns)] for _ in range(rows)]


def vector(values: Sequence[float], device: str) -> dict[str, Any]:
    """A described vector of float32."""
    facts = {"type": "Tensor", "dtype": "float32", "shape": [len(values)], "device": device}
    return facts | {"values": list(values)}


def show_entries(entries: Sequence[Mapping[str, str]]) -> str:
    """What a module holds, on one line."""
    if not entries:
        return "a module that holds nothing"
    words = {"temporary": "unsaved buffer", "listed": "list of layers"}
    return ", ".join(
        f"{words.get(e['kind'], e['kind'])} {e['name']} on {e['device']}" for e in entries
    )


def two_devices(text: str) -> bool:
    """Whether an error is one of those that tensors on two devices raise."""
    return any(word in text for word in ("same device", "should be the same", "Input type ("))


def short(text: str) -> str:
    """An error as an excerpt."""
    return clip(text, 300)
