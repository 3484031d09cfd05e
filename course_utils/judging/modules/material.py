"""Described modules, made from plain words: what a module holds, under which name, and where."""

import random
from collections.abc import Mapping, Sequence

from course_utils.checking.contract import FindingKind, Raise

Entry = dict[str, str]

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")
PARTS = ("encoder", "decoder", "stem", "neck", "trunk")


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
    return rng.sample(PARTS, count)


def whole_numbers(rng: random.Random, rows: int, columns: int) -> list[list[float]]:
    """A matrix of small whole numbers other than zero: they multiply and add up exactly."""
    choices = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
    return [[rng.choice(choices) for _ in range(columns)] for _ in range(rows)]


def show_entries(entries: Sequence[Mapping[str, str]]) -> str:
    """What a module holds, on one line."""
    if not entries:
        return "a module that holds nothing"
    return ", ".join(f"{e['kind']} {e['name']} on {e['device']}" for e in entries)


NO_DEVICE = FindingKind(
    name="no-device-attribute",
    title="a module has no `device`",
    explanation="A tensor is on one device and says so. A module holds many tensors, which need "
    "not agree, so that it has no device of its own.",
    next_step="Ask its tensors: `parameters()` and `buffers()` give them to you.",
)


def asked_for_device(raised: Raise) -> bool:
    """Whether the answer took a module for something with a device."""
    return raised.type == "AttributeError" and raised.text.endswith("has no attribute 'device'")
