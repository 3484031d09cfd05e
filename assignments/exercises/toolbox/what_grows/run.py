"""A training loop in which something grows: which line is at fault follows from a number."""

import random
from collections import Counter
from itertools import pairwise

import numpy
import torch

from exercise_kit.diagnosis import Program

CAUSES = ("graph", "tensors on the GPU", "keys", "copies")

_FAULTY = {
    "graph": "total = total + loss",
    "tensors on the GPU": "outputs.append(output.detach())",
    "keys": "latest[step] = batch",
    "copies": "best = [*best, weight.detach().clone()]",
}
_SOUND = {
    "graph": "total = total + loss.item()",
    "tensors on the GPU": "outputs.append(output.detach().cpu())",
    "keys": 'latest["batch"] = batch',
    "copies": "best = [weight.detach().clone()]",
}


def draw(run: int) -> Program:
    """The program of a run. Its tensors are a whole number of MiB."""
    rng = random.Random(f"what grows in run {run}")
    cause, gpu = rng.choice(CAUSES), rng.randint(1, 3)
    rows, steps = 256 * rng.randint(1, 4), rng.randint(5, 8)
    suspects = rng.sample(CAUSES, len(CAUSES))
    chosen = [(_FAULTY if each == cause else _SOUND)[each] for each in suspects]
    before = [
        "import torch",
        "",
        f'device = torch.device("cuda:{gpu}")',
        "weight = torch.ones(512, 512, device=device, requires_grad=True)",
        "total, outputs, latest, best, used = 0.0, [], {}, [], []",
        f"for step in range({steps}):",
        f"    batch = torch.full(({rows}, 512), float(step), device=device)",
        "    output = batch @ weight",
        "    loss = output.square().mean()",
    ]
    after = ["    used.append(torch.cuda.memory_allocated(device))"]
    lines = [*before, *(f"    {line}" for line in chosen), *after]
    line = lines.index(f"    {_FAULTY[cause]}") + 1
    sound = {
        lines.index(f"    {_SOUND[each]}") + 1: "keeps-little" for each in CAUSES if each != cause
    }
    result = {
        "total": sum((512.0 * step) ** 2 for step in range(steps)),
        "outputs": 512.0 * sum(range(steps)) * rows * 512,
        "latest": float(steps - 1),
        "best": 1.0,
    }
    return Program(
        lines,
        line,
        cause,
        {"steps": steps, "growth": [0] * (steps - 3), "result": result},
        {7: "allocated-there", 8: "allocated-there", 9: "allocated-there", **sound},
    )


def execute(source: str):
    """Run a program. steps: how many were measured. growth: of the memory in use, in bytes, from
    the third step on.

    result: a number for each name, or a text that says why there is none.
    """
    names = {}
    exec(compile(source, "run.py", "exec"), names)
    used = names["used"]
    growth = [later - earlier for earlier, later in pairwise(used[2:])]
    reads = {
        "total": (int | float | torch.Tensor, lambda total: total),
        "outputs": (list, lambda outputs: sum(_matrix(each).sum(1).sum() for each in outputs)),
        "latest": (dict, lambda latest: _matrix([*latest.values()][-1])[0, 0]),
        "best": (list, lambda best: _matrix(best[-1])[0, 0]),
    }
    result = {name: _read(names.get(name), *how) for name, how in reads.items()}
    return {"steps": len(used), "growth": growth, "result": result}


def _matrix(value):
    """A tensor or an array as a tensor on the CPU."""
    if not isinstance(value, torch.Tensor | numpy.ndarray):
        raise TypeError(f"something of type {type(value).__name__} in it, and no tensor")
    if value.ndim != 2:
        raise TypeError(f"a tensor of shape {tuple(value.shape)} in it")
    return torch.as_tensor(value).detach().cpu()


def _read(value, kind, number):
    """A number that tells what is in a result, or why there is none."""
    if not isinstance(value, kind):
        return f"of type {type(value).__name__}"
    if kind in (list, dict) and not value:
        return f"an empty {kind.__name__}"
    try:
        return float(torch.as_tensor(number(value)).detach())
    except TypeError as error:  # of `_matrix`
        return str(error)
    except Exception as error:
        return f"cannot be read: {type(error).__name__}: {error}"


def show(run: int) -> str:
    """The program, what it uses after each step, and who allocated what is there at its end."""
    program = draw(run)
    torch.cuda.memory._record_memory_history(stacks="python")
    try:
        names = {}
        exec(compile("\n".join(program.lines), "run.py", "exec"), names)
        device = names["device"].index
        held = Counter()
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
            "The blocks that are in use at the end, of 0.25 MiB or more:",
            *rows,
        ]
    )
