"""A loop in which one line makes the GPU or the program wait: which one follows from a number."""

import random
import re
from typing import Any

import torch

from course_utils.experiments.recording import LANES, Recording, record
from exercise_kit.diagnosis import Program

GPUS = 4
CAUSES = ("launches", "read", "copy", "compute")

_FAULTY = {
    "copy": ("batch = store.to(device)", "batch = store.cuda(device)"),
    "compute": ("hidden = batch @ (weight @ weight)", "hidden = batch @ weight.matmul(weight)"),
    "launches": ("[row.mul_(2) for row in hidden]", "[row.add_(row) for row in hidden]"),
    "read": (
        "total = total + sum(one.item() for one in loss)",
        "total = total + sum(float(one) for one in loss)",
    ),
}
_SOUND = {
    "copy": (
        "batch = pinned.to(device, non_blocking=True)",
        "batch = pinned.cuda(device, non_blocking=True)",
    ),
    "compute": ("hidden = batch @ weight @ weight", "hidden = (batch @ weight).matmul(weight)"),
    "launches": ("hidden.mul_(2)", "hidden = hidden * 2"),
    "read": ("total = total + loss.sum()", "total = total + loss.detach().sum()"),
}
_ROWS, _WIDTH, _READ = 128, 1536, 16
_LONGER = 1.4  # times as long as a loop without a fault; with one it is at least twice as long
_COLUMNS = 72


def draw(run: int) -> Program:
    """The program of the run with this number. All its numbers are exact in float32."""
    rng = random.Random(f"what waits in loop {run}")
    cause, steps = rng.choice(CAUSES), rng.randint(3, 5)
    chosen = {each: rng.choice((_FAULTY if each == cause else _SOUND)[each]) for each in CAUSES}
    lines = _lines(chosen, steps, rng.randint(1, 3))
    number = {each: lines.index(f"    {line}") + 1 for each, line in chosen.items()}
    innocent = {number[each]: f"sound-{each}" for each in CAUSES if each != cause}
    innocent |= {lines.index(line) + 1: "before-the-loop" for line in lines[3:7]}
    result = sum(_READ * 2 * (step + 1) for step in range(steps))
    right = {
        "images": steps * _ROWS,
        "total": float(result),
        "hidden": f"({_ROWS}, {_WIDTH}), {2 * steps} on average",
        "time": "short",
    }
    return Program(lines, number[cause], cause, right, innocent)


def _lines(chosen: dict[str, str], steps: int, gpu: int) -> list[str]:
    return [
        "import torch",
        "",
        f'device = torch.device("cuda:{gpu}")',
        f"weight = torch.full(({_WIDTH}, {_WIDTH}), 1 / {_WIDTH}, device=device)",
        f"store = torch.ones({_ROWS}, {_WIDTH})",
        "pinned = store.pin_memory()",
        "total, images = 0.0, 0",
        f"for step in range({steps}):",
        f"    {chosen['copy']}",
        "    batch.add_(step)",
        f"    {chosen['compute']}",
        f"    {chosen['launches']}",
        f"    loss = hidden.mean(dim=1)[:{_READ}]",
        f"    {chosen['read']}",
        "    images += len(batch)",
    ]


def execute(source: str) -> dict[str, Any]:
    """The facts of a run: its results, and whether its loop is as short as one without a fault."""
    names, found = _recorded(source)
    gpu = int(re.findall(r"cuda:(\d)", source)[0])
    steps = int(re.findall(r"range\((\d+)\)", source)[0])
    sound = _lines({each: lines[0] for each, lines in _SOUND.items()}, steps, gpu)
    _, base = _recorded("\n".join(sound))
    hidden, times = names.get("hidden"), found.end / base.end
    return {
        "images": names.get("images"),
        "total": _number(names.get("total")),
        "hidden": _matrix(hidden),
        "time": "short" if times < _LONGER else f"{times:.1f} times as long as without the fault",
    }


def explain(fact: str, change: str) -> str | None:
    """The finding for a line with which the loop still takes long, or None."""
    if fact == "time" and "non_blocking" in change and "pin" not in change:
        return "not-pinned"
    return None


def _recorded(source: str) -> tuple[dict[str, Any], Recording]:
    """The names of a program at its end, and the recording of its loop alone."""
    before, loop, rest = source.partition("for step in range")
    names: dict[str, Any] = {}
    exec(compile(before, "run.py", "exec"), names)
    blank = "\n" * before.count("\n")
    with record(names["device"]) as found:
        exec(compile(blank + loop + rest, "run.py", "exec"), names)
    return names, found


def _number(value: object) -> float | str:
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        return round(float(value), 2)
    if isinstance(value, int | float):
        return round(float(value), 2)
    return f"an object of type {type(value).__name__}"


def _matrix(value: object) -> str:
    if not isinstance(value, torch.Tensor):
        return f"an object of type {type(value).__name__}"
    return f"{tuple(value.shape)}, {round(float(value.float().mean()), 2):g} on average"


def show(run: int) -> str:
    """The program, and its loop as lanes of host, copies and kernels over one clock."""
    program = draw(run)
    _, found = _recorded("\n".join(program.lines))
    whole = found.end
    rows = [f"{lane:8} {_lane(found, lane)} {found.busy(lane) / whole:4.0%}" for lane in LANES]
    said = "modelled" if found.modelled else "measured"
    return "\n".join(
        [
            program.numbered(),
            "",
            f"The loop took {whole:.0f} µs ({said}): {len(found.lanes['kernels'])} kernels, and "
            f"the host waited {len(found.lanes['host'])} times.",
            f"From 0 to {whole:.0f} µs; # is work of the GPU, W a wait of the host; the share of "
            "the time:",
            *rows,
        ]
    )


def _lane(found: Recording, lane: str) -> str:
    """A lane in characters: marked where it works for at least half of the column's time."""
    width = found.end / _COLUMNS
    busy = [0.0] * _COLUMNS
    for _, begin, end in found.lanes[lane]:
        for column in range(int(begin / width), min(_COLUMNS, int(end / width) + 1)):
            left, right = column * width, (column + 1) * width
            busy[column] += max(0.0, min(end, right) - max(begin, left))
    mark = "W" if lane == "host" else "#"
    return "".join(mark if each >= width / 2 else "." for each in busy)
