"""Judge `average_gradients`: on every rank, the gradient of one process with all samples."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises

Gradients = dict[str, Tensor]
NAMES = ("scale", "linear.weight", "linear.bias")


def gradients_of(data: Mapping[str, Any], batch: Any, targets: Any) -> Gradients:
    """Those of the mean loss over some samples, by name; zeros if there are none."""
    weights = {name: torch.tensor(data[name.split(".")[-1]], requires_grad=True) for name in NAMES}
    if batch:
        outputs = torch.tensor(batch) @ weights["linear.weight"].T + weights["linear.bias"]
        loss = torch.nn.functional.mse_loss(outputs * weights["scale"], torch.tensor(targets))
        loss.backward()
    wanted = [name for name in NAMES if name != "scale" or not data["frozen"]]
    return {
        name: torch.zeros_like(weights[name]) if weights[name].grad is None else weights[name].grad
        for name in wanted
    }


def together(data: Mapping[str, Any]) -> Gradients:
    """Those of one process that has all samples."""
    batch = [row for x, _ in data["shards"] for row in x]
    return gradients_of(data, batch, [row for _, y in data["shards"] for row in y])


Combined = Callable[[Sequence[Tensor], Sequence[int]], Tensor]
_MISTAKES: Sequence[tuple[str, Combined]] = (
    ("means-averaged", lambda each, counts: sum(each) / len(each)),
    ("means-averaged", lambda each, counts: sum(each) / sum(map(bool, counts))),
    ("added-up", lambda each, counts: sum(each)),
    ("not-divided", lambda each, counts: sum(g * n for g, n in zip(each, counts, strict=True))),
    (
        "divided-twice",
        lambda each, counts: (
            sum(g * n for g, n in zip(each, counts, strict=True)) / sum(counts) / len(counts)
        ),
    ),
)


class AverageGradients(Judge):
    raises = (
        Raises("another-group", "ValueError", "Default process group has not been initialized"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few = rng.randint(2, 3)
        rows: list[tuple[str, list[int], bool]] = [
            ("two ranks with as many samples", [few, few], False),
            ("two ranks, one with more samples", [few, few + 3], False),
            ("six samples and two, as in the task", [6, 2], False),
            ("four ranks", [few, 1, few + 2, few + 1], False),
            ("a rank without samples", [few, 0, few + 1], False),
            ("the first rank without samples", [0, few + 2, few], False),
            ("one rank has all samples", [0, few + 1], False),
            ("a frozen parameter", [few, few + 2], True),
            ("a frozen parameter, and a rank without samples", [few + 1, 0, few], True),
            ("a single rank", [few], False),
        ]
        return [Case(title, _telling(rng, sizes, frozen)) for title, sizes, frozen in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if facts["apart"]:
            each = [f"rank {rank}: {what}" for rank, what in enumerate(facts["apart"])]
            return Finding(
                "out-of-step", clip("; ".join(each), 300), "the same exchange on every rank"
            )
        right = together(data)
        for rank, seen in enumerate(facts["ranks"]):
            if not seen["kept"]:
                return Finding("weights-changed", f"other weights on rank {rank}", "as before")
            for name in NAMES:
                found = _of_one(name, rank, seen["gradients"].get(name), right, data)
                if found:
                    return found
        return None


def _of_one(
    name: str, rank: int, seen: Any, right: Gradients, data: Mapping[str, Any]
) -> Finding | None:
    if name not in right:
        if seen is None:
            return None
        zeros = "" if torch.tensor(seen).any() else ", of zeros"
        return Finding("frozen-got-one", f"a gradient of the frozen {name}{zeros}", "none")
    where = f"{name} on rank {rank}"
    if seen is None:
        return Finding("no-gradient", f"None for {where}", _told(right[name]))
    values = torch.tensor(seen)
    if _near(values, right[name]):
        return None
    each = [gradients_of(data, *shard)[name] for shard in data["shards"]]
    counts = [len(x) for x, _ in data["shards"]]
    named = (finding for finding, combined in _MISTAKES if _near(values, combined(each, counts)))
    own = _near(values, each[rank])
    finding = "not-exchanged" if own else next(named, "other-gradients")
    return Finding(finding, f"{_told(values)} for {where}", _told(right[name]))


def _told(values: Tensor) -> str:
    return clip(", ".join(f"{value:.4g}" for value in values.flatten().tolist()), 80)


def _near(seen: Tensor, right: Tensor) -> bool:
    alike = seen.shape == right.shape
    return alike and torch.allclose(seen, right, rtol=1e-3, atol=1e-3, equal_nan=True)


def _telling(rng: random.Random, sizes: Sequence[int], frozen: bool) -> dict[str, Any]:
    """Data with which every mistake that can change something changes it visibly."""
    some = [size for size in sizes if size]
    can_tell = (
        len(set(sizes)) > 1,
        len(set(some)) > 1,
        len(some) > 1,
        sum(some) > 1,
        len(sizes) > 1,
    )
    while True:
        data = _draw(rng, sizes, frozen)
        right = together(data)
        each = [gradients_of(data, *shard) for shard in data["shards"]]
        wrong = [{name: gradients[name] for name in right} for gradients in each]
        wrong = [one for one, size in zip(wrong, sizes, strict=True) if size < sum(sizes)]
        for (_, combined), tells in zip(_MISTAKES, can_tell, strict=True):
            if tells:
                wrong.append({name: combined([g[name] for g in each], sizes) for name in right})
        if not any(_near(one[name], right[name]) for one in wrong for name in right):
            return data


def _draw(rng: random.Random, sizes: Sequence[int], frozen: bool) -> dict[str, Any]:
    def numbers(count: int) -> list[float]:
        return [float(rng.randint(-4, 4)) for _ in range(count)]

    shards = [
        [[numbers(3) for _ in range(size)], [[3 * v for v in numbers(2)] for _ in range(size)]]
        for size in sizes
    ]
    return {
        "weight": [numbers(3) for _ in range(2)],
        "bias": numbers(2),
        "scale": float(rng.choice((2, 3))),
        "frozen": frozen,
        "shards": shards,
    }


judge = AverageGradients()
