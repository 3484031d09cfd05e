"""A training loop in which something grows: which line is at fault follows from a number."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy
import torch

from exercise_kit.diagnosis import Program

from ..collection import garbage_kept

GPUS = 4
CAUSES = ("graph", "tensors on the GPU", "keys", "copies")
NAMES = ("total", "outputs", "latest", "best")

_FAULTY = {
    "graph": ("total = total + loss", "total += loss", "total = total + loss.cpu()"),
    "tensors on the GPU": (
        "outputs.append(output.detach())",
        "outputs = [*outputs, output.detach()]",
        "outputs.append(output.detach().to(device))",
    ),
    "keys": ("latest[step] = batch", "latest.update({step: batch})", "latest[str(step)] = batch"),
    "copies": (
        "best = [*best, weight.detach().clone()]",
        "best.append(weight.detach().clone())",
        "best.insert(step, weight.detach().clone())",
    ),
}
"""Lines that keep more with every step, some of which look as if they had been cured."""

_SOUND = {
    "graph": (
        "total = total + loss.item()",
        "total += loss.item()",
        "total = total + loss.detach()",
    ),
    "tensors on the GPU": (
        "outputs.append(output.detach().cpu())",
        "outputs = [*outputs, output.detach().cpu()]",
    ),
    "keys": ('latest["batch"] = batch', "latest = {step: batch}", "latest[step] = batch.cpu()"),
    "copies": (
        "best = [weight.detach().clone()]",
        "best.append(weight.detach())",  # the same memory each time
        "best = [*best, weight.detach().cpu()]",
    ),
}
"""Lines that keep little on the GPU, some of which look as if they kept much."""


def draw(run: int) -> Program:
    """The program of the run with this number. All numbers in its tensors are multiples of a power
    of two, so that float32 gives them exactly."""
    rng = random.Random(f"what grows in run {run}")
    cause, gpu = rng.choice(CAUSES), rng.randint(1, 3)
    rows, steps = 256 * rng.randint(1, 4), rng.randint(5, 8)
    suspects = rng.sample(CAUSES, len(CAUSES))
    chosen = {each: rng.choice((_FAULTY if each == cause else _SOUND)[each]) for each in suspects}
    before = [
        "import torch",
        "",
        f'device = torch.device("cuda:{gpu}")',
        "weight = torch.full((512, 512), 2**-9, device=device, requires_grad=True)",
        "total, outputs, latest, best, used = 0.0, [], {}, [], []",
        f"for step in range({steps}):",
        "    weight.data.add_(2**-12)  # in place, as an optimizer does",
        f"    batch = torch.full(({rows}, 512), step + 0.25, device=device)",
        "    output = batch @ weight",
        "    loss = output.square().mean()",
    ]
    after = ["    used.append(torch.cuda.memory_allocated(device))"]
    lines = [*before, *(f"    {line}" for line in chosen.values()), *after]
    place = {each: number for number, each in enumerate(chosen, start=len(before) + 1)}
    innocent = {number: "allocated-there" for number in (8, 9, 10)}
    innocent |= {number: "keeps-little" for each, number in place.items() if each != cause}
    batches = [step + 0.25 for step in range(steps)]
    weights = [2**-9 + (step + 1) * 2**-12 for step in range(steps)]
    outputs = [512 * batch * weight for batch, weight in zip(batches, weights, strict=True)]
    right = {
        "steps": steps,
        "graph": "none",
        "growth": [0] * (steps - 3),
        "total": sum(output**2 for output in outputs),
        "outputs": [_text("float32", (rows, 512), output) for output in outputs],
        "latest": _text("float32", (rows, 512), batches[-1]),
        "best": _text("float32", (512, 512), weights[-1]),
    }
    return Program(lines, place[cause], cause, right, innocent)


def execute(source: str) -> dict[str, Any]:
    """The facts of a run. steps: the number of measured ones. growth: that of the memory in use, in
    bytes, from the third step on. graph: the name that has one, if memory grows; in `total`, the
    graph grows even where memory does not.

    The others: a number for `total`; a text for each of the outputs, for the latest batch and for
    the latest weights; or a text that says why there is none.
    """
    names: dict[str, Any] = {}
    with garbage_kept():
        exec(compile(source, "run.py", "exec"), names)
    used = names["used"]
    growth = [later - earlier for earlier, later in pairwise(used[2:])]
    total, outputs, latest, best = (names.get(name) for name in NAMES)
    held: dict[str, list[Any]] = {
        "total": [total],
        "outputs": outputs if isinstance(outputs, list) else [],
        "latest": [*latest.values()] if isinstance(latest, dict) else [],
        "best": best if isinstance(best, list) else [],
    }
    graphs = [name for name, values in held.items() if any(map(_has_graph, values))]
    return {
        "steps": len(used),
        "graph": f"in {graphs[0]}" if graphs and (any(growth) or graphs[0] == "total") else "none",
        "growth": growth,
        "total": _number(total),
        "outputs": [*map(_matrix, outputs)] if isinstance(outputs, list) else _kind(outputs),
        "latest": _last(held["latest"]) if isinstance(latest, dict) else _kind(latest),
        "best": _last(held["best"]) if isinstance(best, list) else _kind(best),
    }


def explain(fact: str, change: str) -> str | None:
    """The finding for a line with which the memory still grows, or None."""
    if fact not in ("graph", "growth"):
        return None
    if re.search(r"\b(empty_cache|collect)\(", change):
        return "nobody-lets-go"
    return "name-dropped" if re.search(r"\bdel \w+\s*(,|;|$)", change) else None


def _has_graph(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.grad_fn is not None


def _kind(value: object) -> str:
    return f"of type {type(value).__name__}"


def _last(values: Sequence[object]) -> str:
    return _matrix(values[-1]) if values else "empty"


def _number(value: object) -> float | str:
    """The one number in a tensor, an array or a plain value; or the type of anything else."""
    if isinstance(value, torch.Tensor | numpy.ndarray | numpy.generic):
        one = value.numel() if isinstance(value, torch.Tensor) else value.size
        value = value.detach() if isinstance(value, torch.Tensor) else value
        return float(value) if one == 1 else f"{_kind(value)}, with {one} numbers"
    return float(value) if isinstance(value, int | float) else _kind(value)


def _matrix(value: object) -> str:
    """Dtype, shape and mean of a tensor or an array, as a text; or the type of anything else."""
    if not isinstance(value, torch.Tensor | numpy.ndarray):
        return _kind(value)
    tensor = torch.as_tensor(value).detach().cpu()
    mean = float(tensor.double().mean())
    return _text(str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), mean)


def _text(dtype: str, shape: tuple[int, ...], mean: float) -> str:
    return f"{dtype} of shape {shape} and mean {mean:.7g}"


def show(run: int) -> str:
    """The program, its memory in use after each step, and the blocks in use at its end by line."""
    program = draw(run)
    torch.cuda.memory._record_memory_history(stacks="python")
    try:
        names: dict[str, Any] = {}
        exec(compile("\n".join(program.lines), "run.py", "exec"), names)
        device = names["device"].index
        held = Counter[tuple[int, int]]()
        for segment in torch.cuda.memory._snapshot()["segments"]:
            for block in segment["blocks"] if segment["device"] == device else ():
                frames = [f for f in block.get("frames", ()) if f["filename"] == "run.py"]
                if block["state"] == "active_allocated" and frames:
                    held[frames[0]["line"], block["requested_size"]] += 1
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
    used = ", ".join(f"{used / 2**20:.1f}" for used in names["used"])
    rows = [
        f"  {count:2} × {size / 2**20:.1f} MiB, allocated in line {line}"
        for (line, size), count in sorted(held.items())
        if size >= 2**18
    ]
    return "\n".join(
        [
            program.numbered(),
            "",
            f"MiB in use after each step: {used}",
            "Blocks in use at the end, of 0.25 MiB or more:",
            *rows,
        ]
    )
