"""Judge `prefetch`: the batches first, then the order of events, then what overlapped."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.facts import brief
from exercise_kit.text import clip

GPUS = ("cuda:1", "cuda:2", "cuda:3")
"""None of them is the current one, so that a device left out shows."""


class Prefetch(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = rng.sample(GPUS, 2)
        some = rng.randint(4, 6)
        usual = {"pinned": True, "form": "list", "host_waits": False, "own_stream": False}
        rows: list[tuple[str, int, str, dict[str, Any]]] = [
            ("pairs, as in the task, and a training loop that runs ahead", some, gpu, {}),
            ("a training loop that waits after each step", some, gpu, {"host_waits": True}),
            (
                "a training loop in a stream of its own",
                some,
                other,
                {"host_waits": True, "own_stream": True},
            ),
            ("tuples of three tensors", 4, other, {"form": "tuple"}),
            ("the current GPU", 4, "cuda:0", {"host_waits": True}),
            ("a loader that does not pin", 3, gpu, {"pinned": False}),
            ("an empty loader", 0, gpu, {}),
            ("a loader of one batch", 1, other, {}),
            ("a loader of two batches", 2, gpu, {"host_waits": True}),
            ("a longer epoch", 2 * some, gpu, {"host_waits": True}),
        ]
        return [
            Case(
                title,
                {
                    **usual,
                    **settings,
                    "device": device,
                    "batches": [
                        _draw(rng, 2 if settings.get("form") == "tuple" else 1)
                        for _ in range(count)
                    ],
                },
            )
            for title, count, device, settings in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        returned = facts.get("returned")
        if returned is not None:
            name = "nothing-returned" if returned["type"] == "NoneType" else "other-form"
            return Finding(name, brief(returned), "batches, one by one")
        if "raised" in facts:
            return Finding(
                _name_raise(facts["raised"]),
                clip(facts["raised"]),
                f"{len(data['batches'])} batches",
            )
        return (
            _judge_batches(data, facts["got"])
            or _judge_manners(data, facts["log"])
            or _judge_order(data, facts["log"])
            or _judge_streams(data, facts)
        )

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        text = f"{raised.type}: {raised.text}"
        name = _name_raise(text)
        shown = clip(text), "batches, one by one"
        return None if name == "raised-while-iterating" else Finding(name, *shown)


def _draw(rng: random.Random, targets: int) -> list[Any]:
    """First and last number of the inputs, and the targets."""
    return [
        rng.randint(1, 99),
        rng.randint(100, 199),
        [[rng.randint(1, 9) for _ in range(4)] for _ in range(targets)],
    ]


def _per_batch(data: Mapping[str, Any]) -> int:
    return 1 + len(data["batches"][0][2]) if data["batches"] else 0


def _name_raise(text: str) -> str:
    if "StopIteration" in text:
        return "end-not-handled"
    if "_Loader' has no len" in text or "_Loader' object is not" in text:
        return "length-or-index-asked-for"
    return "raised-while-iterating"


def _judge_batches(data: Mapping[str, Any], got: Sequence[Any]) -> Finding | None:
    batches, device = data["batches"], data["device"]
    for number, (seen, (first, last, targets)) in enumerate(zip(got, batches, strict=False)):
        wanted = [[float(first), float(last)], *([t[0], t[-1]] for t in targets)]
        if not isinstance(seen, list) or any("ends" not in item for item in seen):
            shown = brief(seen) if isinstance(seen, dict) else "something that is no tensor"
            name = "more-than-the-batches" if isinstance(seen, dict) else "batch-changed"
            return Finding(name, shown, f"batch {number}: {len(wanted)} tensors")
        if [item["ends"] for item in seen] != wanted:
            shown = f"tensors that begin and end with {[item['ends'] for item in seen]}"
            return Finding("batch-changed", shown, f"batch {number}: {wanted}")
        places = [item["device"] for item in seen]
        if places != [device] * len(wanted):
            return Finding("left-behind", f"tensors on {', '.join(places)}", f"all on {device}")
    if len(got) == len(batches):
        return None
    name = "batch-lost" if len(got) < len(batches) else "more-than-the-batches"
    return Finding(name, f"{len(got)} batches", f"{len(batches)} batches")


def _judge_manners(data: Mapping[str, Any], log: Sequence[Sequence[Any]]) -> Finding | None:
    copies = [event for event in log if event[0] == "copy"]
    needed = _per_batch(data) * len(data["batches"])
    if ["pinned"] in log:
        return Finding("pinned-by-hand", "pinned by your function", "left as the loader gave it")
    if len(copies) > needed:
        return Finding("copied-too-often", f"{len(copies)} copies", f"{needed} copies")
    if not all(event[2] for event in copies):
        return Finding("host-waits-for-the-copy", "non_blocking=False", "non_blocking=True")
    if ["waited"] in log:
        return Finding("synchronized", "the program called synchronize", "it never waits itself")
    return None


def _judge_order(data: Mapping[str, Any], log: Sequence[Sequence[Any]]) -> Finding | None:
    """When batch n is handed out, batch n + 1 was asked for and its copies are on their way."""
    asked = copied = 0
    for event in log:
        asked += event[0] == "asked"
        copied += event[0] == "copy"
        if event[0] == "got":
            fetched = min(event[1] + 2, len(data["batches"]))
            when = f"when batch {event[1] + 1} is handed out"
            if asked != fetched:
                name = "too-far-ahead" if asked > fetched else "not-ahead"
                return Finding(name, f"{asked} batches asked for {when}", str(fetched))
            if copied < fetched * _per_batch(data):
                return Finding(
                    "not-ahead", f"{copied} copies begun {when}", str(fetched * _per_batch(data))
                )
    return None


def _judge_streams(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    each, count = _per_batch(data), len(data["batches"])
    copies = [event for event in facts["log"] if event[0] == "copy"]
    handed = [event for event in facts["log"] if event[0] == "got"]
    if any(switched for *_, switched in handed):
        return Finding(
            "stream-left-switched",
            "the current stream is another one afterwards",
            "the stream that was current before",
        )
    if any(in_training for *_, in_training, _ in copies):
        return Finding("one-stream", "copies in the stream of the training", "a stream of its own")
    virtual = facts["hazards"] is not None
    late = next((n + 1 for _, n, awaited, _ in handed if awaited < (n + 1) * each), None)
    if facts["hazards"] or (late and not virtual):
        seen = clip(facts["hazards"][0]) if virtual else f"batch {late} is used without waiting"
        return Finding("copy-not-waited-for", seen, "a training loop that waits for the copy")
    if virtual and data["pinned"] and count > 3 and data["host_waits"]:
        share = facts["overlap"] / facts["copying"]
        if share < 0.3:
            return Finding(
                "no-overlap", f"{share:.0%} of the copying while the GPU computes", "most of it"
            )
    early = [n for _, n, awaited, _ in handed[:-1] if awaited > (n + 1) * each]
    if early and not virtual:
        return Finding(
            "no-overlap",
            "a training loop that waits for the next copy as well",
            "one that waits for its own batch",
        )
    # Memory is safe if the allocator knows who uses it, or if later copies wait for the training.
    kept = all(flag for batch in facts["kept"] for flag in batch)
    if not kept and not all(event[-1] for event in copies[2 * each :]):
        return Finding(
            "memory-given-away",
            "memory that a later copy may overwrite",
            "record_stream with the stream of the training",
        )
    return None
