"""A loop in which one line waits for the GPU in each step: which one follows from a number."""

import random
import re
from typing import Any

import torch

from course_utils.experiments.waits import with_waits
from exercise_kit.diagnosis import Program

GPUS = 4
CAUSES = ("number", "decision", "size", "copy")
RESULTS = ("total", "weight", "kept", "shifts")

_WAITING = {
    "number": ("total = total + loss.item()", "total = total + float(loss)"),
    "decision": (
        "weight = weight / 2 if loss > 10 else weight",
        "weight = weight * (0.5 if scores.max() > 10 else 1.0)",
    ),
    "size": (
        "kept = kept + scores[scores > 7].sum()",
        "kept = kept + scores.index_select(0, (scores > 7).nonzero()[:, 0]).sum()",
    ),
    "copy": (
        "shifts = shifts + torch.tensor([1.0, 2.0], device=device)",
        "shifts = shifts + shift.to(device)",
    ),
}
_SOUND = {
    "number": ("total = total + loss", "total = total + scores.mean()"),
    "decision": (
        "weight = torch.where(loss > 10, weight / 2, weight)",
        "weight = weight * (1.0 - 0.5 * (scores.max() > 10))",
    ),
    "size": (
        "kept = kept + torch.where(scores > 7, scores, 0.0).sum()",
        "kept = kept + (scores * (scores > 7)).sum()",
    ),
    "copy": (
        "shifts = shifts + torch.arange(1.0, 3.0, device=device)",
        "shifts = shifts + torch.ones(2, device=device).cumsum(0)",
    ),
}
_STEPS = re.compile(r"range\((\d+)\)")
_COUNTING = ("rows = rows + scores.shape[0]", "rows += len(scores)", "rows += scores.numel()")


def draw(run: int) -> Program:
    """The program of the run with this number."""
    rng = random.Random(f"what waits in run {run}")
    cause, gpu = rng.choice(CAUSES), rng.randint(1, 3)
    rows, steps = rng.randint(3, 9), rng.randint(5, 8)
    suspects = rng.sample(CAUSES, len(CAUSES))
    chosen = {each: rng.choice((_WAITING if each == cause else _SOUND)[each]) for each in suspects}
    counting = rng.choice(_COUNTING)
    loop = [
        "scores = batch @ weight",
        "loss = scores.mean()",
        *rng.sample([counting, *(chosen[each] for each in suspects)], 5),
    ]
    before = [
        "import torch",
        "",
        f'device = torch.device("cuda:{gpu}")',
        "weight = torch.ones(4, device=device)",
        "shift = torch.arange(1.0, 3.0)",
        "total, kept, shifts, rows = 0.0, 0.0, 0.0, 0",
        f"for step in range({steps}):",
        f"    batch = torch.full(({rows}, 4), float(step), device=device)",
    ]
    lines = [*before, *(f"    {line}" for line in loop)]
    number = {line: lines.index(f"    {line}") + 1 for line in loop}
    innocent = {number[line]: "queued" for line in loop} | {8: "queued"}
    innocent[number[counting]] = "known-at-once"
    del innocent[number[chosen[cause]]]
    right = {
        "steps": {"rows": rows * steps},
        "waits": 0,
        "result": _result(rows, steps),
        "places": dict.fromkeys(RESULTS, f"cuda:{gpu}"),
        "longer": _result(rows, steps + 1),
    }
    return Program(lines, number[chosen[cause]], cause, right, innocent)


def _result(rows: int, steps: int) -> dict[str, float]:
    total, weight, kept = 0.0, 1.0, 0.0
    for step in range(steps):
        score = 4 * step * weight
        total += score
        kept += rows * score if score > 7 else 0.0
        weight = weight / 2 if score > 10 else weight
    return {"total": total, "weight": weight, "kept": kept, "shifts": 2.0 * steps}


def execute(source: str) -> dict[str, Any]:
    """The facts of a run. steps: its `rows`. waits: the number of its waits for a GPU.

    result: a number for each name, the last of a tensor, or a text that says why there is none.
    places: for each name the device of its tensor, or the type of anything else. longer: the result
    with a step more.
    """
    names, longer = dict[str, Any](), dict[str, Any]()
    waits = _waits(source, names)
    one_more = _STEPS.sub(lambda found: f"range({int(found[1]) + 1})", source, count=1)
    _waits(one_more, longer)
    return {
        "steps": {"rows": names.get("rows")},
        "waits": waits,
        "result": {name: _number(names.get(name)) for name in RESULTS},
        "places": {name: _place(names.get(name)) for name in RESULTS},
        "longer": {name: _number(longer.get(name)) for name in RESULTS},
    }


def explain(fact: str, change: str) -> str | None:
    """The finding for a line with which the program still waits, or None."""
    return "warnings-off" if fact == "waits" and "sync_debug_mode" in change else None


def _waits(source: str, names: dict[str, Any]) -> int:
    torch.zeros(1, device="cuda")  # CUDA is there before its waits are counted
    return with_waits(lambda: exec(compile(source, "run.py", "exec"), names))[1]


def _number(value: object) -> float | str:
    if not isinstance(value, int | float | torch.Tensor):
        return f"an object of type {type(value).__name__}"
    if isinstance(value, torch.Tensor) and not value.numel():
        return "an empty tensor"
    return float(torch.as_tensor(value).flatten()[-1])


def _place(value: object) -> str:
    if isinstance(value, torch.Tensor):
        return str(value.device)
    return f"not a tensor, but an object of type {type(value).__name__}"


def show(run: int) -> str:
    """The program with its line numbers, and the number of its waits."""
    program = draw(run)
    waits = _waits("\n".join(program.lines), {})
    return f"{program.numbered()}\n\nIt waited for the GPU {waits} times."
