"""Judge `noise`: nobody knows the numbers beforehand, so they are compared with one another.

The same numbers are those of which a good share, and three at least (or all, if there are fewer),
can be found on both sides, be it with another sign: by chance, that never happens. Mean and spread
are judged where there are hundreds.
"""

import math
import random
from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.facts import brief
from exercise_kit.text import clip

CLOSE = 1e-6
SHARE = 0.25
ENOUGH = 200
"""Fewer numbers say little about their distribution."""


class Noise(Judge):
    """Compares the numbers of three calls with one another."""

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases: seeds, devices, and the number of values on each."""

        def case(
            title: str,
            devices: str,
            count: int,
            current: int = 0,
            seeds: tuple[int, int] | None = None,
        ) -> Case:
            drawn = rng.sample(range(1, 1_000_001), 2)
            seed, other = seeds or drawn
            return Case(
                title,
                {
                    "seed": seed,
                    "other": other,
                    "count": count,
                    "devices": devices.split(),
                    "current": current,
                    "ambient": [rng.randrange(2**31) for _ in range(3)],
                },
            )

        some = rng.randint(20, 60)
        return [
            case("two GPUs, as in the task", "cuda:0 cuda:1", some),
            case("all GPUs", "cuda:0 cuda:1 cuda:2 cuda:3", some),
            case("one GPU", "cuda:2", some),
            case("GPUs in another order, with another current GPU", "cuda:3 cuda:1", some, 2),
            case("CPU and GPUs", "cpu cuda:1 cuda:0", some),
            case("the CPU alone", "cpu", some),
            case("many numbers", "cuda:1 cpu", 1000),
            case("no device", "", some),
            case("three numbers", "cuda:0 cuda:2 cuda:3", 3, 1),
            case("a single number", "cuda:3 cuda:2", 1),
            # Alike are the last digits of the first two seeds, and the last bits of the others.
            case("seed 0", "cuda:1 cuda:2", some, seeds=(0, 1_000_000)),
            case("the largest seed", "cuda:0 cuda:1", some, seeds=(1_000_000, 1_000_000 - 2**19)),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The first finding: by form, then distribution, devices, calls and generators."""
        data, calls = case.data, facts["calls"]
        if facts["devices"] != data["devices"]:
            return Finding("input-changed", "`devices` changed by the call", "unchanged")
        for call in calls:
            if found := _of_the_form(call, data):
                return found
        first, again, other = ([item["values"] for item in call["items"]] for call in calls)
        return (
            _of_the_distribution(first, data)
            or _of_the_devices(first, data)
            or _of_the_calls(first, again, other, data)
            or _of_the_generators(facts, data)
        )


def _of_the_form(call: Mapping[str, Any], data: Mapping[str, Any]) -> Finding | None:
    if call["type"] == "NoneType":
        return Finding("nothing-returned", "None", "a list of tensors")
    if call["type"] not in ("list", "tuple"):
        return Finding("other-form", clip(brief(call), 120), "a list of tensors")
    items = call["items"]
    if any(item["type"] != "Tensor" for item in items):
        return Finding("other-form", clip(brief(call), 120), "a list of tensors")
    if len(items) != len(data["devices"]):
        return Finding("other-form", f"a list with {len(items)} tensors", f"{len(data['devices'])}")
    for item, device in zip(items, data["devices"], strict=True):
        if item["device"] != device:
            return Finding("other-device", f"a tensor on {item['device']}", f"on {device}")
        if (item["dtype"], item["shape"]) != ("float32", [data["count"]]):
            return Finding(
                "other-shape",
                f"{item['dtype']} of shape {tuple(item['shape'])}",
                f"float32 of shape ({data['count']},)",
            )
        if not all(map(math.isfinite, item["values"])):
            return Finding("other-distribution", "numbers that are not finite", "normal numbers")
    return None


def _of_the_distribution(call: Sequence[list[float]], data: Mapping[str, Any]) -> Finding | None:
    for numbers, device in zip(call, data["devices"], strict=True):
        if len(set(numbers)) < len(numbers) / 2:
            return Finding("other-distribution", f"{device}: many equal numbers", "normal numbers")
        if len(numbers) < ENOUGH:
            continue
        mean = sum(numbers) / len(numbers)
        spread = math.sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))
        # Of normal numbers 8 % lie beyond 1.75; of uniform ones with the same spread, none.
        far = sum(abs(number) > 1.75 for number in numbers) / len(numbers)
        if not (abs(mean) < 0.25 and 0.8 < spread < 1.2 and 0.03 < far < 0.15):
            return Finding(
                "other-distribution",
                f"{device}: mean {mean:.2f}, standard deviation {spread:.2f}",
                "about 0.00 and 1.00",
            )
    return None


def _of_the_devices(call: Sequence[list[float]], data: Mapping[str, Any]) -> Finding | None:
    for (one, first), (other, second) in combinations(zip(data["devices"], call, strict=True), 2):
        if shared := _shared(first, second):
            return Finding(
                "same-on-every-device",
                f"{shared[0][0]:.4f} … on {one}, {shared[0][1]:.4f} … on {other}",
                "other numbers on each device",
            )
    return None


def _of_the_calls(
    first: Sequence[list[float]],
    again: Sequence[list[float]],
    other: Sequence[list[float]],
    data: Mapping[str, Any],
) -> Finding | None:
    for device, one, two, third in zip(data["devices"], first, again, other, strict=True):
        if any(abs(a - b) > CLOSE for a, b in zip(one, two, strict=True)):
            return Finding(
                "not-repeatable",
                f"{device}: {one[0]:.4f} …, then {two[0]:.4f} …",
                "the same numbers after the same seed",
            )
        if shared := _shared(one, third):
            return Finding(
                "same-for-every-seed",
                f"{device}: {shared[0][0]:.4f} …, then {shared[0][1]:.4f} …",
                "other numbers after another seed",
            )
    return None


def _of_the_generators(facts: Facts, data: Mapping[str, Any]) -> Finding | None:
    changed = facts["changed"]
    if changed:
        seen = f"changed: {', '.join(changed)}"
        if set(changed) <= {"numpy", "random"}:
            name = "other-libraries-changed"
        elif changed == ["cpu"]:
            name = "cpu-generator-changed"
        elif set(changed) & set(data["devices"]) - {"cpu"} or not data["devices"]:
            name = "generators-changed"
        else:
            name = "other-generators-changed"
        return Finding(name, seen, "every default generator unchanged")
    if facts["current"] != data["current"]:
        return Finding(
            "current-device-changed",
            f"the current GPU afterwards: cuda:{facts['current']}",
            f"cuda:{data['current']}, as before",
        )
    return None


def _shared(one: Sequence[float], other: Sequence[float]) -> list[tuple[float, float]]:
    """Pairs of equal numbers in two lists, signs aside; none if so few occur by chance."""
    ordered = sorted(other, key=abs)
    sizes = [abs(b) for b in ordered]
    places = [(a, bisect(sizes, abs(a))) for a in one]
    pairs = ((a, b) for a, place in places for b in ordered[max(place - 1, 0) : place + 1])
    close = [(a, b) for a, b in pairs if abs(abs(a) - abs(b)) < CLOSE]
    return close if len(close) >= max(min(3, len(one)), SHARE * len(one)) else []
