"""A script for two ranks that do not train as one process would: why follows from a number."""

import random
from typing import Any

from exercise_kit.diagnosis import Program

from ..launching import by_rank, run_ranks

CAUSES = ("no exchange", "same samples", "divided twice")
in_processes = True

_SAMPLES, _BATCH = 16, 8  # in the dataset, and in a step of both ranks
_SOUND = {
    "same samples": (
        "mine = slice(first + rank, first + 8, 2)",
        "mine = slice(first + 4 * rank, first + 4 * rank + 4)",
    ),
    "no exchange": ("errors = model(batch) - wanted", "errors = model(batch).sub(wanted)"),
    "divided twice": (
        "loss = errors.square().mean()",
        "loss = errors.square().sum() / 4",
        "loss = errors.square().sum() / len(batch)",
    ),
}
_FAULTY = {
    "same samples": ("mine = slice(first, first + 4)", "mine = slice(first, first + 8, 2)"),
    "no exchange": ("errors = model.module(batch) - wanted", "errors = net(batch) - wanted"),
    "divided twice": (
        "loss = errors.square().sum() / 8",
        "loss = errors.square().mean() / dist.get_world_size()",
    ),
}
_END = """
def facts():
    weight = net.weight.item()
    dist.destroy_process_group()
    return [str(net.weight.device), used, weight, told]
"""


def draw(run: int) -> Program:
    """The script of the run with this number."""
    rng = random.Random(f"two ranks in run {run}")
    cause = rng.choice(CAUSES)
    chosen = {each: rng.choice((_FAULTY if each == cause else _SOUND)[each]) for each in CAUSES}
    start, slope, rate = rng.randint(-2, 2) / 4, rng.randint(2, 4), rng.choice((0.25, 0.5))
    lines = [
        "import os",
        "import torch",
        "import torch.distributed as dist",
        "from torch import nn",
        "from torch.nn.parallel import DistributedDataParallel",
        "",
        'rank = int(os.environ["RANK"])',
        'torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))',
        'dist.init_process_group("nccl")',
        "inputs = torch.arange(1.0, 17.0).reshape(16, 1) / 16",
        f"targets = {slope} * inputs",
        "net = nn.Linear(1, 1, bias=False).cuda()",
        f"nn.init.constant_(net.weight, {start})",
        "model, used, told = DistributedDataParallel(net), [], []",
        f"optimizer = torch.optim.SGD(net.parameters(), lr={rate})",
        "for first in (0, 8):  # a step of both ranks has 8 samples",
        f"    {chosen['same samples']}",
        "    batch, wanted = inputs[mine].cuda(), targets[mine].cuda()",
        f"    {chosen['no exchange']}",
        f"    {chosen['divided twice']}",
        "    optimizer.zero_grad()",
        "    loss.backward()",
        "    optimizer.step()",
        "    used += [round(16 * x) for x in batch.flatten().tolist()]",
        "    told.append([loss.item(), net.weight.grad.item()])",
    ]
    line = {"same samples": 17, "no exchange": 19, "divided twice": 20}
    innocent = dict.fromkeys((8, 9, 12, 13, 14, 15, 18, 21, 22, 23), "line-right")
    innocent |= {line[each]: f"{_WORDS[each]}-right" for each in CAUSES if each != cause}
    weight = _alone(start, slope, rate)
    right = {"times": [1] * _SAMPLES, "weight": by_rank([weight] * 2)}
    return Program(lines, line[cause], cause, right, innocent)


_WORDS = {"same samples": "samples", "no exchange": "call", "divided twice": "loss"}


def _alone(weight: float, slope: int, rate: float) -> float:
    """The weight after the same two steps in one process, with 8 samples each."""
    for first in range(0, _SAMPLES, _BATCH):
        inputs = [(number + 1) / _SAMPLES for number in range(first, first + _BATCH)]
        gradients = [2 * (weight - slope) * x * x for x in inputs]
        weight -= rate * sum(gradients) / _BATCH
    return weight


def execute(source: str) -> dict[str, Any]:
    """The facts of a run. times: how often each sample was used. weight: at the end, by rank.

    Raises RuntimeError if a rank fails.
    """
    ranks, error = run_ranks(source + _END)
    if error:
        raise RuntimeError(error)
    every = [number for _, used, *_ in ranks for number in used]
    return {
        "times": [every.count(number) for number in range(1, _SAMPLES + 1)],
        "weight": by_rank([weight for *_, weight, _ in ranks]),
    }


def explain(fact: str, change: str) -> str | None:
    """The finding for a line that still calls the model inside the wrapper, or None."""
    inside = "net(" in change or ".module(" in change
    return "wrapper-not-called" if fact == "weight" and inside else None


def show(run: int) -> str:
    """The script, what each rank has used and computed, and the weight of one process."""
    program = draw(run)
    ranks, error = run_ranks("\n".join(program.lines) + "\n" + _END)
    rows = [error] if error else []
    for rank, (place, used, weight, told) in enumerate(ranks):
        rows.append(f"rank {rank} on {place}, weight at the end {weight:.4f}")
        for step, (loss, gradient) in enumerate(told):
            half = len(used) // 2
            mine = " ".join(map(str, used[step * half : (step + 1) * half]))
            rows.append(f"  step {step + 1}: samples {mine}; loss {loss:.4f}; grad {gradient:.4f}")
    alone = program.right["weight"]["rank 0"]
    return "\n".join([program.numbered(), "", *rows, f"one process: weight at the end {alone:.4f}"])
