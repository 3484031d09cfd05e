"""Judge `mend_module`: the running mean and the results by plain numbers, copies by who is where.

Lengths are powers of two, so that every average is exact, in whatever order it is summed.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise, Raises
from course_utils.checking.facts import brief

from ..judging import short, two_devices, two_gpus

Rows = list[list[float]]


class MendModule(Judge):
    raises = (Raises("mean-trained", "TypeError", "as parameter 'mean'"),)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        example = [_ones([4, 2], 4), _ones([1, 4], 5)]
        rows = [
            ("the task's example", example, "cpu", "cuda:1", "cuda:1"),
            ("batches of several lengths", _some(rng, 3), "cpu", gpu, gpu),
            ("the model moves on to another GPU", _some(rng, 2), "cpu", gpu, other),
            ("the model goes back to the CPU", _some(rng, 2), "cpu", other, "cpu"),
            ("batches that are there already", _some(rng, 3), gpu, gpu, gpu),
            ("batches on another GPU", _some(rng, 2), other, gpu, gpu),
            ("all of it on the CPU", _some(rng, 2), "cpu", "cpu", gpu),
        ]
        return [
            Case(
                title,
                {
                    "batches": batches,
                    "width": len(batches[0]["batch"][0][0]),
                    "start": start,
                    "device": device,
                    "then": then,
                    "later": _like(rng, batches[0]),
                },
            )
            for title, batches, start, device, then in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        if "form" in facts:
            nothing = facts["form"]["type"] == "NoneType"
            return Finding(
                "nothing-returned" if nothing else "other-form",
                brief(facts["form"]),
                "(the list of results, the model)",
            )
        data, seen = case.data, facts["results"]
        strange = [result for result in seen if result["type"] != "Tensor"]
        if strange:
            return Finding("other-form", f"a result {brief(strange[0])}", "a tensor")
        wanted, later = outcome(data)
        if facts["parameters"]:
            return Finding("mean-trained", f"the parameters {facts['parameters']}", "none")
        if facts["checkpoint"] != ["mean"]:
            lost = not any("mean" in key for key in facts["checkpoint"])
            return Finding(
                "mean-not-saved" if lost else "other-keys",
                f"the keys {facts['checkpoint']}",
                "the keys ['mean']",
            )
        devices = sorted({result["device"] for result in seen} - {data["device"]})
        if len(seen) == len(wanted) and devices:
            return Finding(
                "results-elsewhere",
                f"results on {', '.join(devices)}",
                f"results on {data['device']}",
            )
        if seen != wanted:
            return Finding("other-result", *_first_difference(seen, wanted))
        if facts["copies"] > needed_copies(data):
            return Finding(
                "needless-copy",
                f"copies in the whole run: {facts['copies']}",
                f"at most {needed_copies(data)}, for {len(data['batches'])} batches",
            )
        return _judge_read(facts["read"]) or _judge_later(data, facts["later"], later)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "RuntimeError" and two_devices(raised.text):
            return Finding(
                "still-two-devices",
                f"{short(raised.text)} ({raised.where})",
                f"results on {case.data['device']}",
            )
        return super().on_raise(case, raised)


def _judge_read(read: int) -> Finding | None:
    return Finding("number-read", f"{read} × item(), or the like", "none") if read else None


def _judge_later(
    data: Mapping[str, Any], seen: Mapping[str, Any], wanted: Mapping[str, Any]
) -> Finding | None:
    moved = f"after model.to('{data['then']}')"
    if "raised" in seen:
        name = "does-not-follow" if two_devices(seen["raised"]) else "later-raised"
        return Finding(name, short(f"{seen['raised']}, {moved}"), f"a result on {data['then']}")
    if seen["copies"]:
        return Finding(
            "needless-copy", f"copies in one call of the model: {seen['copies']}", "none"
        )
    if seen["result"] != wanted:
        return Finding("other-result", f"{brief(seen['result'])} {moved}", brief(wanted))
    return _judge_read(seen["read"])


def needed_copies(data: Mapping[str, Any]) -> int:
    """The most that a run may copy: what is elsewhere, and two buffers when the model moves.

    The mean is one of them; steps to make the mask of may be another. A copy in each call is more,
    since every case has two batches or more.
    """
    elsewhere = data["start"] != data["device"]
    return 2 * len(data["batches"]) * elsewhere + 2 * (data["device"] != "cpu")


def outcome(data: Mapping[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The results of the run, and that of one more batch, as they should be described."""
    mean = [0.0] * data["width"]
    results = []
    for one in [*data["batches"], data["later"]]:
        averages = [
            [sum(column) / length for column in zip(*rows[:length], strict=True)]
            for rows, length in zip(one["batch"], one["lengths"], strict=True)
        ]
        seen = [sum(column) / len(averages) for column in zip(*averages, strict=True)]
        mean = [(old + new) / 2 for old, new in zip(mean, seen, strict=True)]
        results.append([[a - m for a, m in zip(row, mean, strict=True)] for row in averages])
    return (
        [_described(rows, data["device"]) for rows in results[:-1]],
        _described(results[-1], data["then"]),
    )


def _described(rows: Rows, device: str) -> dict[str, Any]:
    shape = [len(rows), len(rows[0])]
    return {"type": "Tensor", "dtype": "float32", "shape": shape, "device": device, "values": rows}


def _first_difference(seen: Sequence[Any], wanted: Sequence[Any]) -> tuple[str, str]:
    if len(seen) != len(wanted):
        return f"{len(seen)} results", f"{len(wanted)} results"
    number = next(i for i, pair in enumerate(zip(seen, wanted, strict=True)) if pair[0] != pair[1])
    return clip(f"batch {number}: {brief(seen[number])}"), brief(wanted[number])


def _ones(lengths: list[int], steps: int) -> dict[str, Any]:
    return {"batch": [[[1.0] * 3 for _ in range(steps)] for _ in lengths], "lengths": lengths}


def _drawn(rng: random.Random, sequences: int, steps: int, width: int) -> dict[str, Any]:
    lengths = [rng.choice((1, 2, 4)) for _ in range(sequences - 1)]
    batch = [
        [[float(rng.randint(1, 20)) for _ in range(width)] for _ in range(steps)]
        for _ in range(sequences)
    ]
    return {"batch": batch, "lengths": [*lengths, 4]}


def _some(rng: random.Random, number: int) -> list[dict[str, Any]]:
    """Batches of two or four sequences, each padded to a length of its own."""
    width = rng.randint(2, 3)
    paddings = rng.sample(range(5, 9), number)
    return [_drawn(rng, rng.choice((2, 4)), steps, width) for steps in paddings]


def _like(rng: random.Random, batch: Mapping[str, Any]) -> dict[str, Any]:
    """One more batch of the same width."""
    return _drawn(rng, 2, rng.randint(5, 8), len(batch["batch"][0][0]))


judge = MendModule()
