"""A training loop on the virtual clock whose GPU waits: why follows from a number."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from exercise_kit.diagnosis import Program

from .. import played

GPUS = 4
CAUSES = ("too few workers", "workers restarted", "uneven batches", "blocking copy", "read")

MOST_IDLE = 0.1
"""The share of the time in which the GPU of a repaired program may be idle."""

_BATCHES = 12
_PREPARE = 200
_COLUMNS, _WINDOW = 72, 2900.0
Span = tuple[str, str, float, float]
"""Name, engine, begin and end in µs."""


def draw(run: int) -> Program:
    """The program of the run with this number, for one of four virtual GPUs."""
    rng = random.Random(f"starved in run {run}")
    cause, workers = rng.choice(CAUSES), rng.randint(2, 4)
    once = cause not in ("workers restarted", "uneven batches")
    epochs = rng.choice([1, 2, 3] if once else [2, 3])
    even = rng.randrange(270, 330, 10) * workers
    loads = f"[{even}] * {_BATCHES}"
    if cause == "uneven batches":
        workers = 3
        loads = f"[{', '.join(map(str, _uneven(rng)))}] * {_BATCHES // 4}"
    ahead = 1 if cause == "uneven batches" else rng.randint(2, 3)
    keep = cause != "workers restarted" and (epochs > 1 or rng.random() < 0.5)
    settings = {
        "too few workers": f"workers = {1 if cause == 'too few workers' else workers}",
        "uneven batches": f"prefetch_factor = {ahead}",
        "workers restarted": f"persistent_workers = {keep}",
    }
    order = rng.sample([*settings], len(settings))
    flag = "" if cause == "blocking copy" else ", non_blocking=True"
    read = "loss.item()" if cause == "read" else rng.choice(("loss.detach()", "loss"))
    lines = [
        f'device = torch.device("cuda:{rng.randrange(4)}")',
        f"loads = {loads}  # µs, for each batch of an epoch",
        *(settings[each] for each in order),
        "loader = Loader(loads, workers, prefetch_factor, persistent_workers)",
        "total = 0",
        f"for epoch in range({epochs}):",
        "    for batch in loader:",
        f"        inputs = batch.to(device{flag})",
        f"        prepare({_PREPARE})  # µs of Python",
        "        loss = step(inputs)  # 400 µs of the GPU",
        f"        total = total + {read}",
    ]
    place = {each: 3 + number for number, each in enumerate(order)}
    place |= {"blocking copy": 10, "read": 13}
    innocent = {
        2: "loading-overlaps",
        place["too few workers"]: "workers-enough",
        place["uneven batches"]: "prefetched-enough",
        place["workers restarted"]: "no-restart",
        6: "loading-overlaps",
        9: "loading-overlaps",
        10: "copy-does-not-wait",
        11: "prepares-meanwhile",
        12: "gpu-works-there",
        13: "reads-nothing",
    }
    innocent.pop(place[cause])
    steps = epochs * _BATCHES
    right = {
        "steps": steps,
        "prepared": steps * _PREPARE,
        "result": epochs * _BATCHES * (_BATCHES + 1) / 2,
        "idle": _said(0.0),
    }
    return Program(lines, place[cause], cause, right, innocent)


def _uneven(rng: random.Random) -> list[int]:
    """The times of four batches, of which one takes much longer."""
    loads = [rng.randrange(250, 310, 10)] * 3
    return [*loads, rng.randrange(2000, 2300, 100)]


def execute(source: str) -> dict[str, Any]:
    """The facts of a run. steps, prepared: how often the GPU computed, and the µs of `prepare`.
    result: the sum of the losses. idle: the share in which the GPU was, if it is too large."""
    facts, spans = _run(source)
    return {**facts, "idle": _said(_idle(spans))}


def explain(fact: str, change: str) -> str | None:
    """The finding for a line that reads a number in each step, or too early, or that still waits
    for its copy; or None."""
    if fact == "result" and "non_blocking" in change:
        return "read-too-early"
    if fact == "idle" and re.search(r"\.to\(|\.cuda\(", change) and "non_blocking" not in change:
        return "still-blocking"
    reads = re.search(r"\b(float|int|print)\(|\.(item|cpu|tolist|numpy)\(", change)
    return "still-read" if fact == "idle" and reads else None


def _said(share: float) -> str:
    return f"less than {MOST_IDLE:.0%}" if share < MOST_IDLE else f"{share:.0%}"


def _run(source: str) -> tuple[Mapping[str, float], Sequence[Span]]:
    found = played.on_virtual_gpus("play", source)
    return found["facts"], found["spans"]


def _work(spans: Iterable[Span]) -> list[tuple[float, float]]:
    """The times in which the GPU computes or gets a copy, from its first kernel to its last."""
    spans = [*spans]
    kernels = [span for span in spans if span[1] == "compute"]
    first, last = min(each[2] for each in kernels), max(each[3] for each in kernels)
    merged: list[tuple[float, float]] = []
    for _, engine, begin, end in sorted(spans, key=lambda each: each[2]):
        if engine in ("compute", "H2D") and end > first and begin < last:
            if merged and begin <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((begin, end))
    return merged


def _gaps(spans: Sequence[Span]) -> list[tuple[float, float]]:
    return [(one[1], other[0]) for one, other in pairwise(_work(spans))]


def _idle(spans: Sequence[Span]) -> float:
    work = _work(spans)
    return sum(end - begin for begin, end in _gaps(spans)) / (work[-1][1] - work[0][0])


def show(run: int) -> str:
    """The program, its idle times by length, and three lanes around a long one."""
    program = draw(run)
    _, spans = _run("\n".join(program.lines) + "\n")
    gaps = [gap for gap in _gaps(spans) if gap[1] - gap[0] >= 20]
    lengths = Counter(round((end - begin) / 10) * 10 for begin, end in gaps)
    begin, _ = max(gaps, key=lambda gap: gap[1] - gap[0])
    start = max(0.0, begin - _WINDOW / 3)
    listed = [f"  {count:2} × {length:,} µs" for length, count in sorted(lengths.items())]
    return "\n".join(
        [
            program.numbered(),
            "",
            f"From the first kernel to the last, the GPU is idle for {_idle(spans):.0%} of it.",
            "Idle times of 20 µs or more:",
            *listed,
            "",
            f"{_WINDOW:,.0f} µs around the longest of them:",
            *_lanes(spans, start),
            "b: the program waits for a batch, p: prepares, g: waits for the GPU",
        ]
    )


def _lanes(spans: Sequence[Span], start: float) -> list[str]:
    """The lanes of host, copies and kernels, with a letter for each piece of time."""
    letters = {"batch": "b", "prepare": "p", "wait": "g"}
    rows = {"program": "host", "copies": "H2D", "kernels": "compute"}
    lanes = []
    for name, engine in rows.items():
        lane = ["."] * _COLUMNS
        for what, where, begin, end in spans:
            if where == engine:
                letter = letters.get(what, "g") if engine == "host" else "#"
                first, last = ((at - start) / _WINDOW * _COLUMNS for at in (begin, end))
                for column in range(max(0, round(first)), min(_COLUMNS, round(last))):
                    lane[column] = letter
        lanes.append(f"  {name:8}|{''.join(lane)}|")
    return lanes
