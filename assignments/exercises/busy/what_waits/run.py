"""A loop in which one line makes the GPU or the program wait: which one follows from a number."""

import random
import re
from typing import Any
from unittest import mock

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
_SAME = 1e-3  # relative: another order of sums in float32 is far below, bfloat16 above
_LONGER = 1.4  # times as long as a loop without a fault; with one it is at least twice as long
_COLUMNS = 72
_AS_BEFORE = "as before"


def draw(run: int) -> Program:
    """The program of the run with this number. Its numbers are random, so every product counts."""
    rng = random.Random(f"what waits in loop {run}")
    cause, steps = rng.choice(CAUSES), rng.randint(3, 5)
    chosen = {each: rng.choice((_FAULTY if each == cause else _SOUND)[each]) for each in CAUSES}
    lines = _lines(chosen, steps, rng.randint(1, 3))
    number = {each: lines.index(f"    {line}") + 1 for each, line in chosen.items()}
    innocent = {number[each]: f"sound-{each}" for each in CAUSES if each != cause}
    innocent |= {lines.index(line) + 1: "before-the-loop" for line in lines[1:7]}
    right = {
        "images": steps * _ROWS,
        "total": _AS_BEFORE,
        "hidden": _AS_BEFORE,
        "pinning": "once, before the loop",
        "time": "short",
    }
    return Program(lines, number[cause], cause, right, innocent)


def _lines(chosen: dict[str, str], steps: int, gpu: int) -> list[str]:
    return [
        "import torch",
        "torch.manual_seed(0)",
        f'device = torch.device("cuda:{gpu}")',
        f"weight = torch.rand({_WIDTH}, {_WIDTH}, device=device) / {_WIDTH // 3}",
        f"store = torch.rand({_ROWS}, {_WIDTH})",
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
    """The facts of a run, compared with a loop without a fault: its results, and its length."""
    names, found, pinned = _recorded(source)
    gpu = int(re.findall(r"cuda:(\d)", source)[0])
    steps = int(re.findall(r"range\((\d+)\)", source)[0])
    sound = _lines({each: lines[0] for each, lines in _SOUND.items()}, steps, gpu)
    right, base, _ = _recorded("\n".join(sound))
    times = found.end / base.end
    return {
        "images": names.get("images"),
        "total": _total(names.get("total"), float(right["total"])),
        "hidden": _hidden(names.get("hidden"), right["hidden"]),
        "pinning": "in each step" if pinned else "once, before the loop",
        "time": "short" if times < _LONGER else f"{times:.1f} times as long as without the fault",
    }


def explain(fact: str, change: str) -> str | None:
    """The finding for a line with which the loop still takes long, or None."""
    if fact == "time" and "non_blocking" in change and "pin" not in change:
        return "not-pinned"
    return None


def _recorded(source: str) -> tuple[dict[str, Any], Recording, bool]:
    """The names of a program at its end, the recording of its loop, and whether that pins memory.

    The model of a virtual GPU gives no time to the copy that pinning makes on the CPU.
    """
    before, loop, rest = source.partition("for step in range")
    names: dict[str, Any] = {}
    with torch.random.fork_rng(range(GPUS)):
        exec(compile(before, "run.py", "exec"), names)
    blank = "\n" * before.count("\n")
    pin, pinned = torch.Tensor.pin_memory, []

    def noted(tensor: torch.Tensor, *args: Any) -> torch.Tensor:
        pinned.append(tensor)
        return pin(tensor, *args)

    with mock.patch.object(torch.Tensor, "pin_memory", noted), record(names["device"]) as found:
        exec(compile(blank + loop + rest, "run.py", "exec"), names)
    return names, found, bool(pinned)


def _total(value: object, right: float) -> str:
    """The total of a changed loop, compared with that of the loop before."""
    if isinstance(value, torch.Tensor) and value.numel() == 1:
        value = value.item()
    if not isinstance(value, int | float):
        return f"an object of type {type(value).__name__}"
    near = abs(value - right) <= _SAME * abs(right)
    return _AS_BEFORE if near else f"{value:.2f} instead of {right:.2f}"


def _hidden(value: object, right: torch.Tensor) -> str:
    """The numbers of `hidden` after a changed loop, compared with those after the loop before."""
    if not isinstance(value, torch.Tensor):
        return f"an object of type {type(value).__name__}"
    if value.shape != right.shape:
        return f"{tuple(value.shape)} instead of {tuple(right.shape)}"
    apart = (value.to(right) / right - 1).abs().max().item()
    return _AS_BEFORE if apart <= _SAME else f"a number differs by {apart:.1%}"


def show(run: int) -> str:
    """The program, and its loop as lanes of host, copies and kernels over one clock."""
    program = draw(run)
    _, found, _ = _recorded("\n".join(program.lines))
    whole = found.end
    rows = [
        f"{'waits' if lane == 'host' else lane:8} {_lane(found, lane)} "
        f"{found.busy(lane) / whole:4.0%}"
        for lane in LANES
    ]
    said = "modelled" if found.modelled else "measured"
    return "\n".join(
        [
            program.numbered(),
            "",
            f"The loop took {whole:.0f} µs ({said}): {len(found.lanes['kernels'])} kernels, and "
            f"the host waited {len(found.lanes['host'])} times.",
            f"From 0 to {whole:.0f} µs: # is work of the GPU, W a wait of the host, and - a column",
            "with less than half of either. Launches are not drawn. Last: the share of the time.",
            *rows,
        ]
    )


def _lane(found: Recording, lane: str) -> str:
    """A lane in characters: a dash where it works for less than half of the column's time."""
    width = found.end / _COLUMNS
    busy = [0.0] * _COLUMNS
    for _, begin, end in found.lanes[lane]:
        for column in range(int(begin / width), min(_COLUMNS, int(end / width) + 1)):
            left, right = column * width, (column + 1) * width
            busy[column] += max(0.0, min(end, right) - max(begin, left))
    mark = "W" if lane == "host" else "#"
    return "".join(mark if each >= width / 2 else "-" if each else "." for each in busy)
