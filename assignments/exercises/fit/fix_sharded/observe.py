"""Observe `fix_sharded`: called on two ranks, which are real processes with virtual GPUs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exercise_kit import Facts

from ...ranks.launching import OnWatchedRanks

_GPT = Path(__file__).parents[1].joinpath("gpt.py").read_text(encoding="utf-8")
_IMPORTS = """
import copy, os
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
"""
_PROGRAM = """
from torch.distributed.fsdp import FSDPModule
from torch.distributed.tensor import DTensor
from torch.nn.functional import cross_entropy

torch.set_num_threads(1)

def texts(rank):
    numbers = torch.Generator().manual_seed({seed} + rank)
    return list(torch.randint(256, ({steps}, 2, 9), generator=numbers).cuda())

def loss_of(model, text):
    return cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())

def together(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    for step in zip(texts(0), texts(1)):
        (sum(loss_of(model, text) for text in step) / 2).backward()
        optimizer.step()
        optimizer.zero_grad()
    return dict(model.named_parameters())

def distance(one, other):
    return max((one[name].cuda() - other[name]).abs().max().item() for name in other)

def in_file(own):
    if not os.path.exists("weights-0.pt"):
        return {{"file": "nothing"}}
    file = torch.load("weights-0.pt", weights_only=True)
    if list(file) != list(own) or not all(isinstance(file[name], torch.Tensor) for name in own):
        return {{"file": "other keys or objects"}}
    if any(type(file[name]) is DTensor or file[name].shape != own[name].shape for name in own):
        return {{"file": "parts of tensors"}}
    if distance(file, own):
        return {{"file": "other weights"}}
    places = sorted({{str(each.device) for each in file.values()}})
    return {{"file": "the whole weights", "places": places}}

def facts():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    torch.manual_seed({seed})
    model = GPT(layers={layers}, width={width}, heads=2, context=8)
    start = {{name: tensor.detach().cuda() for name, tensor in model.named_parameters()}}
    right = together(copy.deepcopy(model).cuda())

    settings = []
    def train(model, optimizer):
        named = [optimizer.defaults.get(name) for name in ("lr", "fused")]
        settings[:] = [type(optimizer).__name__, *named]
        for text in texts(rank):
            loss_of(model, text).backward()
            optimizer.step()
            optimizer.zero_grad()

    fix_sharded(model, train, f"weights-{{rank}}.pt")
    dist.barrier()  # each rank has a path of its own, so that chance decides nothing
    own = dict(model.named_parameters())
    groups = [getattr(each, "_get_fsdp_state", bool)() for each in model.blocks]
    found = {{
        "whole": [name for name in right if not isinstance(own.get(name), DTensor)],
        "alone": [n for n, each in enumerate(groups) if not each or groups.count(each) > 1],
        "further": [
            name for name, each in model.named_modules()
            if isinstance(each, FSDPModule) and each not in (model, *model.blocks)
        ],
    }}
    if not found["whole"]:
        own = {{name: own[name].full_tensor() for name in right}}
    dist.destroy_process_group()
    found["settings"] = settings
    found["trained"] = distance(own, start) > 0
    found["distance"] = distance(own, right)
    found["twice"] = os.path.exists("weights-1.pt")
    return {{**found, **in_file(own)}}
"""


class FixSharded(OnWatchedRanks):
    """Facts: the first `error`; of rank 0, the parameters that are `whole`, the blocks without a
    group (`alone`), the names of `further` groups, the `settings` of the optimizer (kind, learning
    rate, `fused`), whether any weight was `trained`, the largest
    `distance` of a weight from that of one process, what the `file` contains, the `places` of its
    tensors, and whether rank 1 writes it, too (`twice`).
    """

    name = "fix_sharded"
    imports = _GPT + _IMPORTS
    says = "Running your program on two real ranks …"

    def observe(self, answer: Any, inputs: Mapping[str, Any]) -> Facts:
        """The facts of two processes that define and call the answer."""
        found, error = self.ranks(answer, _PROGRAM.format(**inputs))
        return {"error": error or None, **(found[0] if found else {})}


observer = FixSharded()
