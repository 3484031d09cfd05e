"""Judge `mend_freest`: the device by the task's rule, and what was copied on the way there."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

GPUS = 4


class MendFreest(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        def case(
            title: str, free: Sequence[int], total: Sequence[int] = (), device: str = "cpu"
        ) -> Case:
            batch = [[float(rng.randint(1, 99)) for _ in range(3)] for _ in range(2)]
            return Case(
                title,
                {
                    "free": free,
                    "total": total or [24_000] * len(free),
                    "batch": batch,
                    "device": device,
                },
            )

        def freest_at(index: int, gpus: int = GPUS) -> list[int]:
            rest = rng.sample(range(1_000, 18_000), gpus - 1)
            return [*rest[:index], rng.randint(18_500, 23_000), *rest[index:]]

        def two_equal(first: int, second: int) -> list[int]:
            free = freest_at(first)
            free[second] = free[first]
            return free

        # The largest has neither the most free memory, nor the least.
        mixed = [rng.randint(10_000, 14_000), rng.randint(16_000, 18_000), 20_000, 15_000]
        large = [80_000, 24_000, 24_000, 24_000]
        return [
            case("four GPUs, the third is the freest", mixed, [24_000, 80_000, 24_000, 24_000]),
            case("the first is the freest", freest_at(0)),
            case("the last is the freest", freest_at(3)),
            case("a large GPU that is nearly full", freest_at(3), large),
            case("a large GPU that is the freest", [30_000, *freest_at(0, gpus=3)], large),
            case(
                "amounts of different lengths",
                rng.sample(
                    [
                        rng.randint(100, 999),
                        rng.randint(8_000, 9_999),
                        rng.randint(10_000, 19_000),
                        rng.randint(2_000, 5_000),
                    ],
                    GPUS,
                ),
            ),
            case("two GPUs with the same amount", two_equal(1, 3)),
            case("two GPUs of different sizes with the same amount", two_equal(1, 3), large[::-1]),
            case("all GPUs with the same amount", [rng.randint(1_000, 20_000)] * GPUS),
            case("all GPUs are full", [0] * GPUS),
            case("two visible GPUs", freest_at(1, gpus=2)),
            case("one visible GPU", freest_at(0, gpus=1)),
            case("the batch is on another GPU", freest_at(2), device="cuda:1"),
            case("the batch is there already", freest_at(1), device="cuda:1"),
            case("no visible GPU", []),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, result = case.data, facts["result"]
        free = data["free"]
        right = f"cuda:{free.index(max(free))}" if free else "cpu"
        if facts["changed"]:
            return Finding("input-changed", "another batch after the call", "the same as before")
        if result["type"] == "NoneType":
            return Finding("nothing-returned", "None", f"the batch on {right}")
        if result["type"] != "Tensor":
            return Finding("other-form", brief(result), f"the batch on {right}")
        if result["device"] != right:
            return Finding(_misplaced(result["device"], data), result["device"], right)
        if result.get("values") != data["batch"] or result["dtype"] != "float32":
            return Finding("other-batch", brief(result), str(data["batch"]))
        return _judge_copies(facts, data["device"], right)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if not case.data["free"]:
            return Finding("no-gpu", str(raised), "the batch on the CPU")
        if raised.type == "UnboundLocalError":
            return Finding("guard-inverted", str(raised), "a device in every case")
        return None


def _misplaced(device: str, data: Mapping[str, Any]) -> str:
    free, total = data["free"], data["total"]
    if free and device == "cpu":
        return "on-the-cpu"
    if not free or not device.startswith("cuda:"):
        return "other-device"
    index = int(device.removeprefix("cuda:"))
    if index in _chosen_by_size(free, total):
        return "total-counted"
    if index < len(free) and free[index] == max(free):
        return "ties-reversed"
    return "other-device"


def _chosen_by_size(free: Sequence[int], total: Sequence[int]) -> set[int]:
    """What those who let the size count choose: by size, share or use, or among equals by size."""
    if len(set(total)) < 2:
        return set()
    pairs = list(zip(free, total, strict=True))
    shares = [mib / size for mib, size in pairs]
    unused = [mib - size for mib, size in pairs]
    return {keys.index(max(keys)) for keys in (list(total), pairs, shares, unused)}


def _judge_copies(facts: Facts, begin: str, right: str) -> Finding | None:
    for source, target, count in facts["routes"]:
        # Numbers of the caller's own may be brought to the CPU; a copy on a GPU costs memory there.
        if target not in ("cpu", right):
            return Finding(
                "copied-elsewhere", f"a copy from {source} to {target}", f"copies to {right} only"
            )
        if target == right and begin == right and right != "cpu":
            return Finding("copied-too-often", f"a copy from {source} to {target}", "no copy")
        if target == right and count > 1:
            return Finding("copied-too-often", f"{count} copies to {target}", "one copy")
    for gpu, count in facts["made"].items():
        if gpu != right:
            return Finding("copied-elsewhere", f"tensors on {gpu}", f"on {right} only, the batch")
        if count > (begin != right):
            wanted = "the batch alone" if begin != right else "none: the batch is there"
            return Finding("copied-too-often", f"{count} new tensors on {gpu}", wanted)
    return None


judge = MendFreest()
