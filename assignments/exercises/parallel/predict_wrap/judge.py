"""Judge `predict_wrap`: runs the task's module with replicas as torch makes them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case
from course_utils.checking.facts import brief, describe, same
from course_utils.checking.oracle import OracleJudge

LISTS, NUMBERS = {"keys": "str", "shape": "int"}, ("calls", "seen")


class Counting(nn.Module):
    """The module of the task."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("seen", torch.zeros((), dtype=torch.int64))
        self.calls = calls

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        self.seen.add_(1)
        return (x * self.scale).mean()


def truth(wraps: int, gpus: int, batch: int, calls: int) -> dict[str, Any]:
    """The prediction that comes true."""
    counting = Counting(calls)
    model: nn.Module = counting
    for _ in range(wraps):
        model, inner = nn.Module(), model
        model.module = inner
    x = torch.ones(batch, 2)
    if wraps and gpus > 1:
        parts = enumerate(x.chunk(gpus))
        result = torch.stack([_replica(counting, number)(part) for number, part in parts])
    else:
        result = counting(x)
    return {
        "keys": list(model.state_dict()),
        "calls": counting.calls,
        "seen": int(counting.seen),
        "shape": list(result.shape),
    }


def _replica(counting: Counting, number: int) -> nn.Module:
    """What `replicate` makes: a module of its own that shares memory on the first GPU only."""
    replica = counting._replicate_for_data_parallel()
    replica._buffers["seen"] = counting.seen if number == 0 else counting.seen.clone()
    replica.scale = counting.scale.detach()
    return replica


def _mistakes(wraps: int, gpus: int, batch: int, calls: int) -> Iterator[tuple[str, str, Any]]:
    """A finding, a key, and the value that shows it, as far as there is a mistake to make."""
    parts = len(torch.empty(batch).chunk(max(gpus, 1)))
    if wraps:
        yield "prefix-missing" if gpus else "prefix-on-cpu-missing", "keys", ["scale", "seen"]
    for count in range(1, 6):
        prefix = "module." * count
        yield "other-prefixes", "keys", [f"{prefix}scale", f"{prefix}seen"]
    if wraps and gpus > 1:
        for counted in (1, parts, gpus):
            yield "counter-counts", "calls", calls + counted
        yield "buffer-lost", "seen", 0
        for counted in (parts, gpus):
            yield "buffer-counted-by-all", "seen", counted
        yield "scalars-gathered", "shape", []
        yield "one-number-per-gpu", "shape", [gpus]
        yield "one-number-per-sample", "shape", [batch]
    else:
        yield "counter-stopped", "calls", calls
        for length in (1, parts, gpus, batch):
            yield "nothing-gathered", "shape", [length]


class PredictWrap(OracleJudge):
    form, types, otherwise = "a dict with four keys", ("dict",), "other-value"

    def oracle(self, **data: Any) -> dict[str, Any]:
        return truth(**data)

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        said, right = _values(seen), truth(**data)
        if said is None:
            return "other-form"
        wrong = next(key for key in right if not same(said[key], describe(right[key])))
        for finding, key, value in _mistakes(**data):
            if key == wrong and same(said[key], describe(value)):
                return finding
        return "other-keys" if wrong == "keys" else self.otherwise

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in data.items())
        return f"{clip(brief(described), 200)} for {arguments}"

    def cases(self, rng: random.Random) -> Sequence[Case]:
        calls, many, few = rng.randint(3, 90), rng.randint(9, 40), rng.randint(3, 8)
        rows = [
            ("the task's example: no wrapper", 0, 2, 4, 5),
            ("one wrapper, two GPUs", 1, 2, rng.randint(4, 20), 0),
            ("one wrapper, no GPU", 1, 0, rng.randint(4, 20), calls),
            ("one wrapper, one GPU", 1, 1, rng.randint(4, 20), calls),
            ("parts for fewer GPUs than there are", 1, 4, rng.choice((5, 9)), 7),
            ("two wrappers, no GPU", 2, 0, many, calls),
            ("many GPUs, and a counter that has counted before", 1, few, many, calls),
            ("two wrappers, one GPU", 2, 1, many, calls),
            ("three wrappers, no GPU", 3, 0, rng.randint(2, 9), calls),
            ("a single sample and several GPUs", 1, few, 1, calls),
            ("no wrapper, no GPU", 0, 0, many, calls),
            ("no wrapper, several GPUs", 0, few, many, calls),
        ]
        names = ("wraps", "gpus", "batch", "calls")
        return [Case(title, dict(zip(names, row, strict=True))) for title, *row in rows]


def _values(seen: Mapping[str, Any]) -> dict[str, Any] | None:
    """The described values by their keys, or None if the prediction has another form."""
    said = {key.get("value"): item for key, item in zip(seen["keys"], seen["items"], strict=True)}
    if said.keys() != {*LISTS, *NUMBERS}:
        return None
    if any(said[key]["type"] not in ("int", "float") for key in NUMBERS):
        return None
    for key, kind in LISTS.items():
        if said[key]["type"] not in ("list", "tuple"):
            return None
        if any(item["type"] != kind for item in said[key]["items"]):
            return None
    return said


judge = PredictWrap()
