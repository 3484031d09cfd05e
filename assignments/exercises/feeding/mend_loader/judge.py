"""Judge `mend_loader`: the result first, then the workers, then the copies."""

import random
from collections.abc import Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise, Raises
from course_utils.checking.facts import brief

GPUS = ("cuda:1", "cuda:2", "cuda:3")
"""None of them is the current one, so that a device left out shows."""

BATCH = 4
NOT_SENT = ("pickle", "Pickling", "Can't get")


class MendLoader(Judge):
    raises = (
        Raises("gpu-in-a-worker", "RuntimeError", "Cannot re-initialize CUDA"),
        Raises("devices-met", "RuntimeError", "Expected all tensors to be on the same device"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = rng.sample(GPUS, 2)
        rows = [
            ("two full batches", 2 * BATCH, gpu),
            ("a last batch that is smaller", 2 * BATCH + rng.randint(1, 3), other),
            ("one picture", 1, gpu),
            ("many batches", 5 * BATCH, other),
        ]
        return [Case(title, _draw(rng, count, device)) for title, count, device in rows]

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if any(words in f"{raised.type}: {raised.text}" for words in NOT_SENT):
            return Finding(
                "dataset-not-sent", f"{raised.type}: {raised.text}", "workers that are forked"
            )
        return super().on_raise(case, raised)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen = case.data, facts["result"]
        wanted = _result(data)
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", brief(wanted))
        if seen["type"] != "Tensor" or seen["shape"] != wanted["shape"]:
            return Finding("other-form", brief(seen), brief(wanted))
        if seen["device"] != wanted["device"]:
            return Finding("wrong-device", seen["device"], wanted["device"])
        if seen != wanted:
            return Finding("other-result", brief(seen), brief(wanted))
        return _judge_workers(facts["decoded_by"]) or _judge_copies(data, facts["copies"])


def _judge_workers(decoded_by: Sequence[int]) -> Finding | None:
    batches = [decoded_by[start] for start in range(0, len(decoded_by), BATCH)]
    wanted = {0, 1} if len(batches) > 1 else {0}
    if set(decoded_by) == wanted:
        return None
    who = {-2: "nobody", -1: "the main process"}
    seen = ", ".join(who.get(number, f"worker {number}") for number in sorted(set(decoded_by)))
    return Finding(
        "other-workers",
        f"decoded by {seen}",
        " and ".join(f"worker {number}" for number in sorted(wanted)),
    )


def _judge_copies(data: Any, copies: Sequence[Any]) -> Finding | None:
    batches = -(-len(data["pictures"]) // BATCH)
    back = sum(count for *_, target, count in copies if target == "cpu")
    others = sum(count for *_, count in copies) - back
    if back == 0 and others == batches:
        return None
    seen = f"{others} copies to a GPU, {back} back to the CPU"
    name = "copied-back" if back else "copied-too-often" if others > batches else "all-at-once"
    return Finding(name, seen, f"{batches} to the GPU, none back")


def _draw(rng: random.Random, count: int, device: str) -> dict[str, Any]:
    def numbers(size: int) -> list[float]:
        return [float(rng.randint(1, 20)) for _ in range(size)]

    return {
        "pictures": [numbers(3) for _ in range(count)],
        "mean": numbers(3),
        "weight": [numbers(3), numbers(3)],
        "device": device,
    }


def _result(data: Any) -> dict[str, Any]:
    """Whole numbers, which float32 holds exactly."""
    values = [
        [
            sum(w * (x - m) for w, x, m in zip(row, picture, data["mean"], strict=True))
            for row in data["weight"]
        ]
        for picture in data["pictures"]
    ]
    return {
        "type": "Tensor",
        "dtype": "float32",
        "shape": [len(values), 2],
        "device": data["device"],
        "values": values,
    }


judge = MendLoader()
