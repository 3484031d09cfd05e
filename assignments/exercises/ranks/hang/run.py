"""A script on two ranks that wait for each other: where and why follows from a number."""

import random
from typing import Any

from exercise_kit.diagnosis import Program
from exercise_kit.programs.launcher import LaunchFault

from ...parallel.launching import by_rank
from ..launching import run_watched
from ..waits import WAITS

CAUSES = ("one rank alone", "one batch more", "early break", "other order")
in_processes = True

_BATCHES = 6
_CALLS = 4  # collectives of a rank besides those of DDP
_LINES = {"one batch more": 13, "early break": 16, "one rank alone": 23, "other order": 24}
_SOUND = {
    "one batch more": ("mine = range(rank, 6, 2)", "mine = [rank, rank + 2, rank + 4]"),
    "early break": ("if loss.isnan(): break", "if loss > 1e6: break"),
    "one rank alone": ("dist.reduce(loss.detach(), dst=0)", "dist.broadcast(net.bias.data, src=0)"),
    "other order": ("calls = [total, agree]", "calls = [agree, total]"),
}
_FAULTY = {
    "one batch more": ("mine = range(rank, 5, 2)", "mine = range(6)[4 * rank :][:4]"),
    "early break": ("if number == 2: break", "if number == 3: break"),
    "one rank alone": (
        "if rank == 0: dist.reduce(loss.detach(), dst=0)",
        "if rank == 1: dist.broadcast(net.bias.data, src=0)",
    ),
    "other order": (
        "calls = [total, agree] if rank == 0 else [agree, total]",
        "calls = [total, agree][:: 1 - 2 * rank]",
    ),
}
_END = """
def facts():
    weight, group = net.weight.item(), dist.distributed_c10d._get_default_group()
    calls = group._get_sequence_number_for_group()
    twin = DistributedDataParallel(nn.Linear(1, 1, bias=False))  # exchanges as often as `model`
    for _ in range(3):
        twin(inputs[0]).sum().backward()
    calls -= group._get_sequence_number_for_group() - calls
    dist.destroy_process_group()
    return [weight, used, calls]
"""


def draw(run: int) -> Program:
    """The script of the run with this number."""
    rng = random.Random(f"a hang in run {run}")
    cause = rng.choice(CAUSES)
    chosen = {each: rng.choice((_FAULTY if each == cause else _SOUND)[each]) for each in CAUSES}
    start, slope, rate = rng.randint(-2, 2) / 4, rng.randint(2, 4), rng.choice((0.25, 0.5))
    lines = [
        "import torch",
        "import torch.distributed as dist",
        "from torch import nn",
        "from torch.nn.parallel import DistributedDataParallel",
        "",
        'dist.init_process_group("gloo")',
        "rank, used, count = dist.get_rank(), [], torch.zeros(1)",
        "net = nn.Linear(1, 1)",
        f"nn.init.constant_(net.weight, {start}), nn.init.zeros_(net.bias).requires_grad_(False)",
        "model = DistributedDataParallel(net)",
        f"optimizer = torch.optim.SGD([net.weight], lr={rate})",
        "inputs = torch.arange(1.0, 13.0).reshape(6, 2, 1) / 12  # 6 batches",
        chosen["one batch more"],
        "for number in mine:",
        f"    loss = (model(inputs[number]) - {slope} * inputs[number]).square().mean()",
        f"    {chosen['early break']}",
        "    optimizer.zero_grad(), loss.backward(), optimizer.step()",
        "    used.append(number)",
        "    count += len(inputs[number])",
        "dist.barrier()  # before rank 0 reads the results",
        "total = lambda: dist.all_reduce(count)",
        "agree = lambda: dist.broadcast(net.weight.data, src=0)",
        chosen["one rank alone"],
        chosen["other order"],
        "for call in calls: call()",
        'print(rank, "has finished")',
    ]
    innocent = dict.fromkeys((17, 20, 21, 22, 25), "line-waits")
    innocent |= {_LINES[each]: "line-right" for each in CAUSES if each != cause}
    weight = _together(start, slope, rate)
    right = {
        "waits": False,
        "used": list(range(_BATCHES)),
        "weight": by_rank([weight] * 2),
        "missing": by_rank([0, 0]),
    }
    return Program(lines, _LINES[cause], cause, right, innocent)


def _together(weight: float, slope: int, rate: float) -> float:
    """The weight after three steps, each with the batches of both ranks."""
    for first in range(0, _BATCHES, 2):
        inputs = [(2 * first + number + 1) / 12 for number in range(4)]
        weight -= rate * sum(2 * (weight - slope) * x * x for x in inputs) / 4
    return weight


def _run(source: str) -> tuple[list[Any], list[int], str]:
    """The facts of both ranks, the lines in which they wait for each other, or an error.

    Raises LaunchFault for a run that only took long: the clock alone decides nothing.
    """
    ranks, error = run_watched(source + _END)
    if error == "a rank still waits":
        raise LaunchFault("two ranks did not end, and did not wait for each other either")
    if error.startswith(WAITS):
        return [], [int(line) for line in error[len(WAITS) :].strip("[]").split(",")], ""
    return ranks, [], error


def execute(source: str) -> dict[str, Any]:
    """The facts of a run: whether its ranks wait for each other, used batches, the weights,
    and how many collectives are missing.

    Raises RuntimeError if a rank fails.
    """
    ranks, waits, error = _run(source)
    if error:
        raise RuntimeError(error)
    if waits:
        return {"waits": True}
    return {
        "waits": False,
        "used": sorted(number for _, used, _ in ranks for number in used),
        "weight": by_rank([weight for weight, _, _ in ranks]),
        "missing": by_rank([max(0, _CALLS - calls) for _, _, calls in ranks]),
    }


def show(run: int) -> str:
    """The script, and the line in which each rank waits."""
    program = draw(run)
    _, waits, error = _run("\n".join(program.lines) + "\n")
    rows = [error] if error else []
    for rank, line in enumerate(waits):
        rows.append(f"rank {rank} waits in line {line}: {program.lines[line - 1].strip()}")
    return "\n".join([program.numbered(), "", *rows])
