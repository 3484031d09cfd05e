"""Judge `varied_noise`: are the noises of workers, epochs and runs as different as they should be?

Noise is a number that nobody knows beforehand, so there is no oracle: the judge looks for numbers
that come twice, and at their mean and spread. All chances of a wrong verdict are below one in a
million: two of a hundred thousand numbers are that close, and bounds are five deviations away.
"""

import math
import random
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import torch

from course_utils.checking.contract import Case, Facts, Finding, Judge
from course_utils.checking.facts import brief

CLOSE = 1e-5
SHARE = 0.25
"""Two parts of an epoch are alike if so much of one can be found in the other."""


class Noise(NamedTuple):
    """The noise of an item, and where it comes from."""

    size: float
    item: int
    place: str


Part = list[Noise]
"""What a worker makes in one epoch."""


class VariedNoise(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        some = rng.randint(3, 4)
        rows = [
            ("two workers, as in the task", 64, 2, False),
            ("several workers", 64, some, False),
            ("no worker", 64, 0, False),
            ("one worker", 64, 1, False),
            ("two workers, and a look at an item before", 64, 2, True),
            ("several workers, and a look at an item before", 64, some, True),
            ("no worker, and a look at an item before", 64, 0, True),
            ("eight workers", 160, 8, False),
            ("many items", 400, 2, False),
        ]

        def seeds(count: int) -> list[int]:
            return [rng.randrange(2**31) for _ in range(count)]

        cases = []
        for title, count, workers, used_first in rows:
            once, other = seeds(2), seeds(2)
            cases.append(
                Case(
                    title,
                    {
                        "values": [rng.randint(-8, 8) / 4 for _ in range(count)],
                        "workers": workers,
                        "used_first": used_first,
                        "seeds": [once, once, other],
                        "ambient": seeds(3),
                    },
                )
            )
        return cases

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if "error" in facts:
            return _name_error(facts)
        length, wanted = facts["length"]["value"], len(data["values"])
        if length != wanted:
            return Finding("wrong-length", f"length {length}", f"length {wanted}")
        if facts["values"] != data["values"]:
            return Finding("input-changed", "other values afterwards", "the same values")
        if facts["drawn"] != list(_draws(data)):
            raise ValueError("these facts were not seen under the seeds of the case")
        if facts["after_making"][0] == facts["after_making"][1]:  # begun with different seeds
            return Finding(
                "same-for-every-seed",
                "torch's generator in the same state after "
                "different seeds, once the dataset is made",
                "as it was",
            )
        runs = []
        for run in facts["runs"]:
            for number, item in (pair for epoch in run for part in epoch for pair in part):
                if not _is_number(item):
                    right = f"{data['values'][number]} plus noise, a single number"
                    return Finding("not-a-number", f"item {number}: {brief(item)}", right)
            runs.append(
                [
                    [
                        [
                            Noise(_value(item) - data["values"][number], number, f"worker {worker}")
                            for number, item in part
                        ]
                        for worker, part in enumerate(epoch)
                    ]
                    for epoch in run
                ]
            )
        return _compare(*runs, workers=data["workers"])


def _draws(data: Mapping[str, Any]) -> Iterator[list[float]]:
    """What torch's generator gives first wherever it is seeded."""
    for seeds in data["seeds"]:
        every = [seed + worker for seed in seeds for worker in range(data["workers"])]
        for seed in every or seeds[:1]:
            yield torch.randn(2, generator=torch.Generator().manual_seed(seed)).tolist()


def _name_error(facts: Facts) -> Finding:
    error, returned = facts["error"], facts["returned"]
    if returned["type"] == "NoneType":
        return Finding("nothing-returned", "None", "a dataset")
    if returned["type"] != "other" or "has no len()" in error:
        return Finding("other-form", brief(returned), "a dataset")
    if "'NoneType' object has no attribute" in error:
        return Finding("no-worker-in-the-main-process", error, "an item")
    return Finding("dataset-does-not-work", error, "an item")


def _value(item: Mapping[str, Any]) -> Any:
    return item.get("values") if item["type"] == "Tensor" else item.get("value")


def _is_number(item: Mapping[str, Any]) -> bool:
    return isinstance(_value(item), float) and math.isfinite(_value(item))


def _compare(
    first: list[list[Part]], again: list[list[Part]], other: list[list[Part]], workers: int
) -> Finding | None:
    every = [*_flat(first[0]), *_flat(first[1])]
    if all(abs(noise.size) < CLOSE for noise in every):
        return Finding("no-noise", "every item equals its value", "items that differ from it")
    for part in (*first[0], *first[1]):
        if len({round(noise.size, 5) for noise in part}) <= len(part) / 2:
            return Finding(
                "same-for-every-item",
                _pair(part, part, "of one worker"),
                "another number for each item",
            )
    for one, two in combinations(first[0], 2):
        if _alike(one, two):
            seen = _pair(one, two, f"in {one[0].place} and in {two[0].place}")
            return Finding("same-in-every-worker", seen, "other numbers in each worker")
    if _alike(_flat(first[0]), _flat(first[1])):
        seen = _pair(_flat(first[0]), _flat(first[1]), "in two epochs")
        return Finding("same-in-every-epoch", seen, "other numbers in each epoch")
    for one, two in zip(every, [*_flat(again[0]), *_flat(again[1])], strict=True):
        if abs(one.size - two.size) > CLOSE:
            name = "not-reproducible" if workers else "not-reproducible-without-workers"
            seen = f"item {one.item}: noise {one.size:.4f}, then {two.size:.4f}"
            return Finding(name, seen, "the same number after the same seed")
    if _alike(_flat(first[0]), _flat(other[0])):
        seen = _pair(_flat(first[0]), _flat(other[0]), "after another seed")
        return Finding("same-for-every-seed", seen, "other numbers after another seed")
    return _judge_distribution([noise.size for noise in every])


def _judge_distribution(sizes: Sequence[float]) -> Finding | None:
    mean = sum(sizes) / len(sizes)
    spread = math.sqrt(sum((size - mean) ** 2 for size in sizes) / len(sizes))
    # Of normal noise, 8 % lies beyond 1.75; of uniform noise with the same spread, none does.
    far = sum(abs(size) > 1.75 for size in sizes) / len(sizes)
    if abs(mean) < 0.5 and 0.65 < spread < 1.4 and (len(sizes) < 500 or 0.03 < far < 0.15):
        return None
    seen = f"mean {mean:.2f}, standard deviation {spread:.2f}, {far:.0%} beyond ±1.75"
    return Finding("other-noise", seen, "about 0.00, 1.00 and 8%")


def _alike(part: Part, other: Part) -> bool:
    """Whether a good share of one can be found in the other."""
    sizes = sorted(noise.size for noise in other)
    twice = 0
    for size, *_ in part:
        place = bisect_left(sizes, size - CLOSE)
        twice += place < len(sizes) and sizes[place] < size + CLOSE
    return twice >= max(2, SHARE * min(len(part), len(other)))


def _pair(part: Part, other: Part, where: str) -> str:
    """Two items with the same noise."""
    for one in part:
        for two in other:
            if one is not two and abs(one.size - two.size) < CLOSE:
                return f"noise {one.size:.4f} in items {one.item} and {two.item}, {where}"
    return "the same noise twice"


def _flat(epoch: Sequence[Part]) -> Part:
    return [noise for part in epoch for noise in part]


judge = VariedNoise()
