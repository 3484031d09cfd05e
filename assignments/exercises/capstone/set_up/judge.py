"""Judge `set_up`: the devices first, then each kind of generator."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge
from course_utils.checking.facts import brief

_UNSEEDED = {"random": "python-unseeded", "numpy": "numpy-unseeded", "torch": "torch-unseeded"}


def devices(gpus: int, samples: int) -> list[str]:
    """Those that get a part."""
    if not gpus:
        return ["cpu"]
    return [f"cuda:{index}" for index in range(len(torch.empty(samples).chunk(gpus)))]


class SetUp(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        rows = [
            ("five samples on four GPUs, as in the task", 4, 5),
            ("a batch that four GPUs share evenly", 4, 4 * rng.randint(2, 9)),
            ("no GPU", 0, rng.randint(2, 20)),
            ("one GPU", 1, rng.randint(2, 20)),
            ("two GPUs", 2, rng.randint(2, 20)),
            ("three GPUs and four samples", 3, 4),
            ("fewer samples than GPUs", 4, rng.choice((2, 3))),
            ("a single sample", 4, 1),
            ("six samples on four GPUs", 4, 6),
            ("nine samples on four GPUs", 4, 9),
        ]
        seeds = (rng.sample(range(1, 1000), 2) for _ in rows)
        return [
            Case(title, {"gpus": gpus, "samples": samples, "seed": seed, "other_seed": other})
            for (title, gpus, samples), (seed, other) in zip(rows, seeds, strict=True)
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        return _of_the_devices(case.data, facts["result"]) or _of_the_generators(facts)


def _of_the_devices(data: Mapping[str, Any], seen: Mapping[str, Any]) -> Finding | None:
    gpus, samples = data["gpus"], data["samples"]
    wanted = devices(gpus, samples)
    shown = clip(brief(seen), 160), f"[{', '.join(wanted)}] for {samples} samples on {gpus} GPUs"
    if seen["type"] == "NoneType":
        return Finding("nothing-returned", *shown)
    items = seen.get("items", ())
    if seen["type"] not in ("list", "tuple") or any(
        item["type"] not in ("device", "str") for item in items
    ):
        return Finding("other-form", shown[0], "a list of devices")
    names = [item["value"] for item in items]
    if names == wanted:
        return None
    every = [f"cuda:{index}" for index in range(gpus)]
    if "cuda" in names:
        name = "index-missing"
    elif not gpus:
        name = "no-gpu-there"
    elif names in (every, every[:samples]):
        name = "idle-gpu"
    elif names == wanted[: len(names)]:
        name = "gpus-left-out"
    else:
        name = "other-devices"
    return Finding(name, *shown)


def _of_the_generators(facts: Facts) -> Finding | None:
    kinds = facts["repeats"]
    unseeded = [kind for kind, same in kinds.items() if not same]
    if unseeded:
        seen = f"other numbers from {', '.join(unseeded)}"
        return Finding(_UNSEEDED.get(unseeded[0], "gpus-unseeded"), seen, "the same, twice")
    constant = [kind for kind, other in facts["differs"].items() if not other]
    if constant:
        seen = f"with two seeds the same numbers from {', '.join(constant)}"
        return Finding("seed-not-used", seen, "other numbers")
    return None


judge = SetUp()
