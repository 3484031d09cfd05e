"""Observe `shard`: on one rank of a group without the others, and on two real ranks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exercise_kit import Facts

from ...parallel.launching import OnRanks

_SHARED = "\n".join(
    Path(__file__).parents[1].joinpath(name).read_text(encoding="utf-8")
    for name in ("gpt.py", "group.py")
)
_IMPORTS = """
import copy, os
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
"""
_PROGRAM = """
from torch.distributed.fsdp import FSDPModule
from torch.distributed.tensor import DTensor
from torch.nn.functional import cross_entropy

torch.set_num_threads(1)

def text(rank):
    numbers = torch.Generator().manual_seed({seed} + rank)
    return torch.randint(256, (2, {context} + 1), generator=numbers).cuda()

def loss_of(model, text):
    return cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())

def small():
    torch.manual_seed({seed})
    return GPT(layers={layers}, width={width}, heads=2, context={context})

def on_one_rank():
    model = small()
    names = [name for name, _ in model.named_parameters()]
    torch.cuda.reset_peak_memory_stats()
    shard(model)
    most = torch.cuda.max_memory_allocated() / 2**20
    own = dict(model.named_parameters())
    found = {{
        "whole": [each for each in names if not isinstance(own.get(each), DTensor)],
        "most": most,
        "types": sorted({{str(tensor.dtype) for tensor in own.values()}}),
        "places": sorted({{str(tensor.device) for tensor in own.values()}}),
        "alone": [n for n, each in enumerate(model.blocks) if not isinstance(each, FSDPModule)],
    }}
    if found["whole"]:  # a step would raise an error
        return found
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(2):
        torch.cuda.reset_peak_memory_stats()
        loss_of(model, text(0)).backward()
        optimizer.step()
        optimizer.zero_grad()
    return {{**found, "peak": torch.cuda.max_memory_allocated() / 2**20}}

def on_two_ranks():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    model, single = small(), small().cuda()
    shard(model)
    one = torch.optim.SGD(model.parameters(), lr=0.5)
    other = torch.optim.SGD(single.parameters(), lr=0.5)
    for _ in range(2):
        loss_of(model, text(rank)).backward()
        (sum(loss_of(single, text(each)) for each in range(2)) / 2).backward()
        for optimizer in (one, other):
            optimizer.step()
            optimizer.zero_grad()
    whole = [getattr(each, "full_tensor", lambda: each)() for each in model.parameters()]
    pairs = zip(whole, single.parameters(), strict=True)
    distance = max((mine - right).abs().max().item() for mine, right in pairs)
    dist.destroy_process_group()
    return {{"distance": distance}}

def facts():
    if {real}:
        return on_two_ranks()
    with one_of(4):
        return on_one_rank()
"""


class Shard(OnRanks):
    """Facts: the first `error`; on one rank, the parameters that are `whole`, the `types` and
    `places` of all, the peak of the function in MiB (`most`), the blocks without a group of their
    own (`alone`), and the `peak` of the second step in MiB; on two real ranks, the largest
    `distance` of a weight from that of one process.
    """

    name = "shard"
    imports = _SHARED + _IMPORTS
    says = "Running your function on one rank of four, and on two real ranks …"

    def observe(self, answer: Any, inputs: Mapping[str, Any]) -> Facts:
        """The facts of one or two processes that define and call the answer."""
        program = _PROGRAM.format(**inputs)
        found, error = self.ranks(answer, program, ranks=2 if inputs["real"] else 1)
        return {"error": error or None, **(found[0] if found else {})}


observer = Shard()
