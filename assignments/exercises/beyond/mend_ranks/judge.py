"""Judge `mend_ranks`: weights, samples and losses as in one process that plays all ranks."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DistributedSampler

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief

SIZE, RATE, SEED = 2, 0.05, 1


@dataclass(frozen=True)
class Rules:
    """How the ranks train: as they should, or with a fault left in.

    start: "first" (rank 0's weights for all), "own" or "mean". shared: each rank has its own share
    of the samples. divisions: how often the sum of the gradients is divided by the number of ranks.
    weights_averaged: at the end of each epoch.
    """

    start: str = "first"
    shared: bool = True
    shuffled: bool = True
    new_order: bool = True
    seed: int = SEED
    first_epoch: int = 0
    divisions: int = 1
    exchanged: bool = True
    weights_averaged: bool = False
    rate: float = RATE


@dataclass(frozen=True)
class Trained:
    """weights, samples: of each rank; losses: of all batches of each epoch, rank by rank."""

    weights: list[Tensor]
    samples: list[list[int]]
    losses: list[list[list[float]]]


def train(data: Mapping[str, Any], rules: Rules) -> Trained:
    batch, targets = torch.tensor(data["batch"]), torch.tensor(data["targets"])
    starts = [torch.tensor([*weight[0], *bias]) for weight, bias in data["starts"]]
    ranks = len(starts)
    begin = {"first": [starts[0]] * ranks, "own": starts, "mean": [sum(starts) / ranks] * ranks}
    weights = [start.clone() for start in begin[rules.start]]
    samples: list[list[int]] = [[] for _ in range(ranks)]
    losses: list[list[list[float]]] = []
    for epoch in range(data["epochs"]):
        shards = [_shard(len(batch), rank, ranks, epoch, rules) for rank in range(ranks)]
        losses.append([[] for _ in range(ranks)])
        for start in range(0, len(shards[0]), SIZE):
            gradients = []
            for rank, shard in enumerate(shards):
                part = shard[start : start + SIZE]
                loss, gradient = _loss(weights[rank], batch[part], targets[part])
                losses[-1][rank].append(loss)
                gradients.append(gradient)
            both = sum(gradients) / ranks**rules.divisions
            for rank in range(ranks):
                used = both if rules.exchanged else gradients[rank]
                weights[rank] = weights[rank] - rules.rate * used
        if rules.weights_averaged:
            weights = [sum(weights) / ranks] * ranks
        for rank, shard in enumerate(shards):
            samples[rank] += shard
    return Trained(weights, samples, losses)


def _shard(count: int, rank: int, ranks: int, epoch: int, rules: Rules) -> list[int]:
    ranks, rank = (ranks, rank) if rules.shared else (1, 0)
    sampler = DistributedSampler(range(count), ranks, rank, shuffle=rules.shuffled, seed=rules.seed)
    sampler.set_epoch(epoch + rules.first_epoch if rules.new_order else 0)
    return list(sampler)


def _loss(weights: Tensor, x: Tensor, y: Tensor) -> tuple[float, Tensor]:
    weights = weights.clone().requires_grad_()
    loss = torch.nn.functional.mse_loss(x @ weights[:3, None] + weights[3], y)
    loss.backward()
    return loss.item(), weights.grad


class MendRanks(Judge):
    raises = (
        Raises("another-group", "ValueError", "Default process group has not been initialized"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        rows = [
            ("two ranks, one epoch", 2, 8, 1),
            ("two ranks, several epochs", 2, 8, 3),
            ("samples that cannot be shared evenly", 3, 10, 2),
            ("a smaller last batch on every rank", 2, 10, 2),
            ("four ranks", 4, 16, 2),
            ("a single rank", 1, 6, 2),
        ]
        return [Case(title, _telling(rng, *row)) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if facts["apart"]:
            each = [f"rank {rank}: {what}" for rank, what in enumerate(facts["apart"])]
            return Finding(
                "out-of-step", clip("; ".join(each), 300), "the same exchange on every rank"
            )
        right = train(data, Rules())
        return (
            _of_the_samples(facts["ranks"], right, data)
            or _of_the_weights(facts["ranks"], right, data)
            or _of_the_losses(facts["ranks"][0]["result"], right)
        )


def _draw(rng: random.Random, ranks: int, count: int, epochs: int) -> dict[str, Any]:
    def numbers(many: int) -> list[float]:
        return [float(rng.randint(-2, 2)) for _ in range(many)]

    batch = [[float(index), *numbers(2)] for index in range(count)]
    scaled = [[index / 8, *rest] for index, *rest in batch]  # tags that do not outweigh the rest
    targets = [[float(rng.randint(-8, 8))] for _ in batch]
    starts = [[[numbers(3)], numbers(1)] for _ in range(ranks)]
    return {"batch": scaled, "targets": targets, "starts": starts, "epochs": epochs}


_FAULTS = {
    "nothing-to-step-with": Rules(rate=0.0),
    "different-starts": Rules(start="own"),
    "mean-start": Rules(start="mean"),
    "not-exchanged": Rules(exchanged=False),
    "gradients-added-up": Rules(divisions=0),
    "divided-twice": Rules(divisions=2),
    "averaged-too-late": Rules(exchanged=False, weights_averaged=True),
}
"""What leads to other weights, where there are several ranks."""


def _telling(rng: random.Random, ranks: int, count: int, epochs: int) -> dict[str, Any]:
    """Data with which every fault that is left in leads to other weights on some rank."""
    faults = [*_FAULTS.values()] if ranks > 1 else []
    if epochs > 1:
        faults.append(Rules(new_order=False))
    while True:
        data = _draw(rng, ranks, count, epochs)
        right = train(data, Rules())
        wrong = [train(data, rules) for rules in faults]
        if all(
            any(not _near(a, b) for a, b in zip(one.weights, right.weights, strict=True))
            for one in wrong
        ):
            return data


def _of_the_samples(
    ranks: Sequence[Mapping[str, Any]], right: Trained, data: Mapping[str, Any]
) -> Finding | None:
    seen = [[round(8 * tag) for tag in rank["seen"]] for rank in ranks]
    if seen == right.samples:
        return None
    faults = {
        "same-order": Rules(new_order=False),
        "same-samples": Rules(shared=False),
        "not-shuffled": Rules(shuffled=False),
        "other-seed": Rules(seed=0),
        "epochs-from-1": Rules(first_epoch=1),
    }
    faults |= {
        "same-samples ": Rules(shared=False, new_order=False),
        "other-seed ": Rules(seed=0, new_order=False),
    }
    name = next(
        (name.strip() for name, rules in faults.items() if seen == train(data, rules).samples),
        "other-samples",
    )
    at = next(i for i, (a, b) in enumerate(zip(seen, right.samples, strict=True)) if a != b)
    return Finding(name, clip(f"rank {at}: {seen[at]}", 200), clip(str(right.samples[at]), 200))


def _of_the_weights(
    ranks: Sequence[Mapping[str, Any]], right: Trained, data: Mapping[str, Any]
) -> Finding | None:
    seen = [torch.tensor(rank["weights"]) for rank in ranks]
    if all(map(_near, seen, right.weights)):
        return None
    faults = _FAULTS if len(seen) > 1 else {}
    faults = faults | {f"{name} ": replace(rules, start="own") for name, rules in faults.items()}
    # Two faults at a time are told by the one to be seen to first.
    name = next(
        (
            name.strip()
            for name, rules in faults.items()
            if all(map(_near, seen, train(data, rules).weights))
        ),
        "",
    )
    if not name:
        equal = all(_near(seen[0], one) for one in seen)
        name = "other-weights" if equal else "ranks-differ"
    at = next(i for i, pair in enumerate(zip(seen, right.weights, strict=True)) if not _near(*pair))
    return Finding(name, f"{_told(seen[at])} on rank {at}", _told(right.weights[at]))


def _of_the_losses(seen: Mapping[str, Any], right: Trained) -> Finding | None:
    expected = [_mean([v for rank in epoch for v in rank]) for epoch in right.losses]
    shown = ", ".join(f"{value:.4g}" for value in expected)
    if seen["type"] == "NoneType":
        return Finding("nothing-returned", "None from rank 0", shown)
    values = [_number(item) for item in seen.get("items", ())]
    if seen["type"] not in ("list", "tuple") or None in values:
        return Finding("other-form", clip(brief(seen), 150), "a list of numbers")
    if _close(values, expected):
        return None
    sums = [sum(map(sum, epoch)) for epoch in right.losses]
    ranks, steps = len(right.weights), len(right.losses[0][0])
    wrong = {
        "loss-of-rank-0": [_mean(epoch[0]) for epoch in right.losses],
        "losses-not-divided": sums,
        "losses-not-divided ": [total / ranks for total in sums],
        "losses-not-divided  ": [total / steps for total in sums],
    }
    name = next(
        (name.strip() for name, model in wrong.items() if _close(values, model)), "other-losses"
    )
    return Finding(name, clip(", ".join(f"{value:.4g}" for value in values), 150), shown)


def _number(item: Mapping[str, Any]) -> float | None:
    if item["type"] in ("int", "float"):
        return float(item["value"])
    if item["type"] == "Tensor" and item["shape"] in ([], [1]) and "values" in item:
        return float(torch.tensor(item["values"]).flatten()[0])
    return None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _close(seen: Sequence[Any], right: Sequence[float]) -> bool:
    return len(seen) == len(right) and all(
        math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-4) for a, b in zip(seen, right, strict=True)
    )


def _told(values: Tensor) -> str:
    return clip(", ".join(f"{value:.4g}" for value in values.tolist()), 100)


def _near(seen: Tensor, right: Tensor) -> bool:
    alike = seen.shape == right.shape
    return alike and torch.allclose(seen, right, rtol=1e-3, atol=1e-3, equal_nan=True)


judge = MendRanks()
