"""What the judges of this assignment share: described objects, counted copies, and additions.

Cases are drawn in the form of `course_utils.checking.facts.describe`, and what an answer should
have returned is written in it too.
"""

import math
import random
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

Described = dict[str, Any]

GPUS = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")


def tensor(
    values: Sequence[Any], shape: Sequence[int], device: str, dtype: str = "float32"
) -> Described:
    """A tensor of `shape`, its `values` given one after another."""
    nested = list(values)
    for size in reversed(shape[1:]):
        nested = [nested[start : start + size] for start in range(0, len(nested), size)]
    return {
        "type": "Tensor",
        "dtype": dtype,
        "shape": list(shape),
        "device": device,
        "values": nested if shape else nested[0],
    }


def some_tensor(
    rng: random.Random, device: str, shape: Sequence[int] | None = None, dtype: str = "float32"
) -> Described:
    """A tensor of small whole numbers, without zero. They add up exactly in every dtype."""
    shape = (rng.randint(2, 4),) if shape is None else shape
    number = float if dtype.startswith("float") else int
    values = [number(rng.randint(1, 30)) for _ in range(math.prod(shape))]
    return tensor(values, shape, device, dtype)


def plain(value: bool | float | str | None) -> Described:
    """A plain value."""
    return {"type": "NoneType" if value is None else type(value).__name__, "value": value}


def many(kind: str, *items: Described) -> Described:
    """A list or a tuple."""
    return {"type": kind, "items": list(items)}


def keyed(**items: Described) -> Described:
    """A dict with strings as keys."""
    return {"type": "dict", "keys": [plain(key) for key in items], "items": list(items.values())}


def named(name: str, **items: Described) -> Described:
    """A namedtuple called `name`."""
    return many("namedtuple", *items.values()) | {"class": name, "fields": list(items)}


def is_tensor(described: Mapping[str, Any]) -> bool:
    return described["type"] == "Tensor"


def is_nothing(described: Mapping[str, Any]) -> bool:
    return described["type"] == "NoneType"


def two_gpus(rng: random.Random) -> list[str]:
    """Two different GPUs, neither of them the current one."""
    return rng.sample(GPUS[1:], 2)


def one_gpu(rng: random.Random) -> str:
    """A GPU that is not the current one, so that a device left out shows."""
    return rng.choice(GPUS[1:])


MIXED = "Expected all tensors to be on the same device"
"""How torch begins the error about operands on two devices."""

Copies = Sequence[Sequence[Any]]
"""Counted copies as facts: `[["cpu", "cuda:1", 2]]`."""

Route = tuple[str, str]


def counted(copies: Copies) -> Counter[Route]:
    return Counter({(source, target): number for source, target, number in copies})


def show_copies(copies: Mapping[Route, int]) -> str:
    """`2 × cpu → cuda:1`, or "no copy"."""
    shown = [f"{n} × {source} → {target}" for (source, target), n in sorted(copies.items())]
    return clip(", ".join(shown), 120) or "no copy"


def free_to_join(operand: Mapping[str, Any]) -> bool:
    """Whether `operand` may join tensors of a GPU as it is."""
    return operand["device"] == "cpu" and not operand["shape"]


def needed_copies(operands: Sequence[Mapping[str, Any]], place: str) -> Counter[Route]:
    """The fewest copies that let the operands meet at `place`."""
    away = [x["device"] for x in operands if x["device"] != place and not free_to_join(x)]
    return Counter((device, place) for device in away)


def sum_at(operands: Sequence[Mapping[str, Any]], place: str) -> Described:
    """The sum as it should be described. Torch adds, on the CPU."""
    a, b = (torch.tensor(x["values"], dtype=getattr(torch, x["dtype"])) for x in operands)
    total = a + b
    dtype = str(total.dtype).removeprefix("torch.")
    return tensor(total.flatten().tolist(), total.shape, place, dtype)


class AdditionJudge(Judge):
    """Judges a sum: where it was computed, and what was copied for that."""

    @abstractmethod
    def place(self, data: Mapping[str, Any]) -> str:
        """The device on which the addition belongs."""

    @abstractmethod
    def wrong_place(self, data: Mapping[str, Any], device: str, copies: Counter[Route]) -> str:
        """The finding for a result on another `device`."""

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        operands, place = (case.data["a"], case.data["b"]), self.place(case.data)
        seen, wanted = facts["result"], sum_at(operands, place)
        if facts["changed"]:
            return Finding(
                "input-changed",
                f"{facts['changed'][0]} changed by the call",
                "the same as before",
            )
        if not is_tensor(seen):
            name = "nothing-returned" if is_nothing(seen) else "other-form"
            return Finding(name, clip(brief(seen), 120), brief(wanted))
        copies, needed = counted(facts["copies"]), needed_copies(operands, place)
        if seen["device"] != place:
            name = self.wrong_place(case.data, seen["device"], copies)
            shown = f"a result on {seen['device']}; {show_copies(copies)}"
            return Finding(name, shown, f"a result on {place}; {show_copies(needed)}")
        if copies - needed:
            name = _too_much(operands, copies - needed, place)
            return Finding(name, show_copies(copies), show_copies(needed))
        if seen != wanted:
            return Finding("sum-differs", clip(brief(seen), 120), brief(wanted))
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if MIXED not in raised.text:
            return None
        single = any(math.prod(case.data[name]["shape"]) == 1 for name in "ab")
        name = "operand-not-exempt" if single else "devices-mixed"
        return Finding(name, clip(raised.text, 120), "both operands on one device")


def _too_much(operands: Sequence[Mapping[str, Any]], extra: Mapping[Route, int], place: str) -> str:
    """The finding for copies that nobody needed, where the result is in the right place."""
    if place == "cpu":
        return "needless-copy"
    if any(target == "cpu" for _, target in extra):
        return "through-the-cpu"
    only_from_cpu = all(source == "cpu" for source, _ in extra)
    return "scalar-moved" if only_from_cpu and any(map(free_to_join, operands)) else "needless-copy"
