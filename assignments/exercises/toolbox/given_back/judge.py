"""Judge `given_back` by adding up segments; rivals add up something else."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.oracle import OracleJudge, Rival

MiB = 2**20
FREE, USED = "inactive", "active_allocated"
Segment = Mapping[str, Any]


def of_device(snapshot: Sequence[Segment], device: str) -> list[Segment]:
    return [one for one in snapshot if f"cuda:{one['device']}" == device]


def free_bytes(segment: Segment) -> int:
    return sum(block["size"] for block in segment["blocks"] if block["state"] == FREE)


def is_free(segment: Segment) -> bool:
    return free_bytes(segment) == segment["total_size"]


def _free_at(segment: Segment, place: int) -> bool:
    return segment["blocks"][place]["state"] == FREE


def _sum(size: Callable[[Segment], int]) -> Callable[..., int]:
    """The sum of something over the segments of the GPU."""
    return lambda snapshot, device: sum(map(size, of_device(snapshot, device)))


_right = _sum(lambda one: one["total_size"] * is_free(one))


def _of_all_gpus(snapshot: Sequence[Segment], device: str) -> int:
    return sum(one["total_size"] for one in snapshot if is_free(one))


class GivenBack(OracleJudge):
    form, types, otherwise = "a number of bytes", ("int", "float"), "other-number"
    rivals = (
        Rival("other-gpus-counted", _of_all_gpus),
        Rival("other-gpus-counted", lambda snapshot, device: sum(map(free_bytes, snapshot))),
        Rival("other-gpus-counted", lambda snapshot, device: _right(snapshot, "cuda:0")),
        Rival("free-blocks-counted", _sum(free_bytes)),
        Rival("partly-free-counted", _sum(lambda one: one["total_size"] * (free_bytes(one) > 0))),
        Rival("partly-free-counted", _sum(lambda one: one["total_size"] * _free_at(one, 0))),
        Rival("partly-free-counted", _sum(lambda one: one["total_size"] * _free_at(one, -1))),
        Rival("all-reserved", _sum(lambda one: one["total_size"])),
        Rival("in-use-instead", _sum(lambda one: one["total_size"] - free_bytes(one))),
        Rival("in-use-instead", _sum(lambda one: one["total_size"] * (not is_free(one)))),
        Rival("segments-not-bytes", _sum(is_free)),
        Rival("other-unit", lambda **data: _right(**data) / MiB),
        Rival(
            "largest-only",
            lambda snapshot, device: max(
                (one["total_size"] for one in of_device(snapshot, device) if is_free(one)),
                default=0,
            ),
        ),
        Rival("nothing-counted", lambda snapshot, device: 0),
    )

    def oracle(self, **data: Any) -> int:
        return _right(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, draw: Callable[[], list[Segment]], *findings: str) -> Case:
            return Case(
                title,
                self.telling(
                    lambda: {"snapshot": draw(), "device": f"cuda:{rng.randint(1, 3)}"}, *findings
                ),
            )

        def segments(gpus: Sequence[int], *kinds: str) -> Callable[[], list[Segment]]:
            return lambda: _ordered([_segment(rng, gpu, kind) for gpu in gpus for kind in kinds])

        every = (0, 1, 2, 3)
        return [
            drawn(
                "free and used segments on every GPU",
                segments(every, "free", "used", "free"),
                "other-gpus-counted",
                "in-use-instead",
                "segments-not-bytes",
                "largest-only",
            ),
            drawn(
                "partly used segments as well",
                segments(every, "free", "mixed", "used"),
                "free-blocks-counted",
                "partly-free-counted",
                "all-reserved",
            ),
            drawn(
                "a free block beside each used one",
                segments(every, "mixed"),
                "free-blocks-counted",
                "partly-free-counted",
            ),
            drawn(
                "a free block at the beginning",
                segments(every, "free", "mixed, first free", "used"),
                "partly-free-counted",
                "free-blocks-counted",
            ),
            drawn(
                "a free block at the end",
                segments(every, "free", "mixed, last free", "used"),
                "partly-free-counted",
                "free-blocks-counted",
            ),
            drawn("everything is in use", segments(every, "used", "used"), "all-reserved"),
            drawn(
                "nothing is in use",
                segments(every, "free", "free", "free"),
                "largest-only",
                "segments-not-bytes",
                "other-gpus-counted",
            ),
            drawn(
                "segments of other GPUs only",
                lambda: _ordered([_segment(rng, 0, "free")]),
                "other-gpus-counted",
            ),
            drawn(
                "small and large segments",
                segments(every, "free", "free", "small", "small used"),
                "free-blocks-counted",
                "largest-only",
                "other-unit",
            ),
            Case("no segments", {"snapshot": [], "device": "cuda:2"}),
            Case(
                "the task's example",
                {
                    "device": "cuda:1",
                    "snapshot": [
                        _made(1, [(2 * MiB, FREE)]),
                        _made(1, [(4 * MiB, USED), (16 * MiB, FREE)]),
                    ],
                },
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        if facts["asked"]:
            return Finding("gpu-asked", f"torch.cuda.{facts['asked'][0]}()", "no call of it")
        found = super().judge(case, facts)
        if found is None or found.name == "input-changed":
            return found
        mine = of_device(case.data["snapshot"], case.data["device"])
        held = "; ".join(map(_told, mine)) or "no segment"
        return replace(found, seen=f"{found.seen[:60]} for {case.data['device']} with {held[:220]}")


def _told(segment: Segment) -> str:
    words = {FREE: "free", USED: "in use"}
    return ", ".join(f"{b['size'] / MiB:g} MiB {words[b['state']]}" for b in segment["blocks"])


def _ordered(segments: list[Segment]) -> list[Segment]:
    """As a snapshot has them: by address, which says nothing about their GPUs."""
    return sorted(segments, key=lambda one: one["address"])


def _segment(rng: random.Random, gpu: int, kind: str) -> Segment:
    if kind.startswith("small"):
        sizes = [MiB // 2, MiB // 4, MiB + MiB // 4]
    else:
        # Blocks of 10 MiB and more get segments of their own size, in steps of 2 MiB.
        total = 20 if kind.startswith("mixed") else 2 * rng.randint(10, 40)
        first, second = rng.randint(1, 6), rng.randint(1, 6)
        sizes = [first * MiB, second * MiB, (total - first - second) * MiB]
    states = {
        "free": [FREE] * 3,
        "small": [FREE] * 3,
        "used": [USED] * 3,
        "small used": [USED, FREE, FREE],
        "mixed": rng.choice([[FREE, USED, FREE], [USED, FREE, USED], [FREE, FREE, USED]]),
        "mixed, first free": [FREE, USED, USED],
        "mixed, last free": [USED, USED, FREE],
    }[kind]
    return _made(gpu, list(zip(sizes, states, strict=True)), rng.randrange(1, 2**20) * 2 * MiB)


def _made(gpu: int, pieces: Sequence[tuple[int, str]], address: int = 0x7F0000000000) -> Segment:
    """A segment with the keys that PyTorch gives it. Free blocks side by side are one block."""
    merged = []
    for state, group in groupby(pieces, key=lambda piece: piece[1]):
        sizes = [size for size, _ in group]
        merged += [(sum(sizes), state)] if state == FREE else [(size, state) for size in sizes]
    starts = accumulate((size for size, _ in merged), initial=address)
    used = sum(size for size, state in merged if state == USED)
    total = sum(size for size, _ in merged)
    return {
        "device": gpu,
        "address": address,
        "total_size": total,
        "allocated_size": used,
        "active_size": used,
        "requested_size": used,
        "stream": 0,
        "segment_type": "small" if total <= 2 * MiB else "large",
        "is_expandable": False,
        "blocks": [
            {
                "address": start,
                "size": size,
                "requested_size": size * (state == USED),
                "state": state,
            }
            for start, (size, state) in zip(starts, merged, strict=False)
        ],
    }


judge = GivenBack()
