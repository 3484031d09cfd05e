"""A program that runs out of memory: which line is to be changed follows from a number."""

import math
import random
import re
from pathlib import Path
from typing import Any, NamedTuple

from exercise_kit.diagnosis import Program

from ...parallel.launching import run_ranks

CAUSES = ("whole states", "whole gather", "activations", "logits", "temporaries", "kept graph")
in_processes = True


class _Size(NamedTuple):
    """What is drawn: of a model, of its batch, and of the program's memory in MiB."""

    width: int
    blocks: int
    vocabulary: int
    tokens: int
    ranks: int
    limit: int


# Measured: the limit is between what the program needs with its fault and without it.
_SIZES = {
    "whole states": (_Size(256, 6, 256, 64, 4, 32), _Size(192, 10, 256, 64, 4, 30)),
    "whole gather": (_Size(256, 6, 256, 64, 4, 28), _Size(192, 10, 256, 64, 4, 26)),
    "activations": (_Size(64, 6, 64, 4096, 1, 40), _Size(32, 8, 64, 8192, 1, 48)),
    "logits": (_Size(64, 2, 1024, 4096, 1, 36), _Size(32, 2, 2048, 2048, 1, 30)),
    "temporaries": (_Size(192, 12, 256, 64, 1, 66), _Size(192, 10, 256, 64, 1, 56)),
    "kept graph": (_Size(64, 6, 64, 4096, 1, 32), _Size(32, 8, 64, 8192, 1, 36)),
}
_PLACES = ("shard", "block", "loss", "optimizer", "check")
_LINES = dict(zip(_PLACES, (25, 18, 19, 26, 33), strict=True))
_PLACE = dict(zip(CAUSES, ("shard", *_PLACES), strict=True))
_SOUND = {
    "shard": (
        "for part in (*net.blocks, net): fully_shard(part)",
        "[fully_shard(part) for part in [*net.blocks, net]]",
    ),
    "block": (
        "x = x + checkpoint(block, x, use_reentrant=False)",
        "x = checkpoint(block, x, use_reentrant=False) + x",
    ),
    "loss": (
        "loss = sum(checkpoint(self.loss, *part, use_reentrant=False) for part in parts)",
        "loss = sum([checkpoint(self.loss, *each, use_reentrant=False) for each in parts])",
    ),
    "optimizer": (
        "optimizer = torch.optim.AdamW(net.parameters(), fused=True)",
        "optimizer = torch.optim.AdamW(net.parameters(), foreach=False)",
    ),
    "check": (
        "checked.append(net(held[:-1], held[1:]).item())",
        "checked += [net(held[:-1], held[1:]).detach()]",
    ),
}
_FAULTY = {
    "whole states": ("parts = [*net.blocks, net]", "net.requires_grad_(True)"),
    "whole gather": ("fully_shard(net)", "for part in (net,): fully_shard(part)"),
    "activations": ("x = x + block(x)", "x = block(x) + x"),
    "logits": ("loss = sum(self.loss(*part) for part in parts)", "loss = self.loss(x, targets)"),
    "temporaries": (
        "optimizer = torch.optim.AdamW(net.parameters())",
        "optimizer = torch.optim.AdamW([*net.parameters()], foreach=True)",
    ),
    "kept graph": (
        "checked.append(net(held[:-1], held[1:]))",
        "checked += [net(held[:-1], held[1:])]",
    ),
}
_CHILD = Path(__file__).with_name("child.py").read_text(encoding="utf-8")


def draw(run: int) -> Program:
    """The program of the run with this number."""
    rng = random.Random(f"out of memory in run {run}")
    cause = rng.choice(CAUSES)
    size, place = rng.choice(_SIZES[cause]), _PLACE[cause]
    chosen = {each: rng.choice(_SOUND[each]) for each in _PLACES}
    # Some lines have no cure, and with these sizes they need none: few tokens, or few parameters.
    for other in ("activations", "logits") if size.tokens == 64 else ("temporaries",):
        if rng.random() < 0.5 and cause != other:
            chosen[_PLACE[other]] = rng.choice(_FAULTY[other])
    chosen[place] = rng.choice(_FAULTY[cause])
    innocent = {line: f"{other}-right" for other, line in _LINES.items() if other != place}
    innocent |= {28: "line-raised", 30: "line-raised", 31: "line-raised"}
    right = {"fits": True, "trained": "as before", "checked": "as before"}
    return Program(_program(run, size, chosen), _LINES[place], cause, right, innocent)


def _program(run: int, size: _Size, chosen: dict[str, str]) -> list[str]:
    width, blocks, vocabulary, tokens, ranks, limit = size
    return [
        f"# run {run}: {limit} MiB of the GPU are left for you",
        "import torch",
        "from torch import nn",
        "from torch.distributed.fsdp import fully_shard",
        "from torch.nn.functional import cross_entropy",
        "from torch.utils.checkpoint import checkpoint",
        "class Net(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        f"        up, down = nn.Linear({width}, {4 * width}), nn.Linear({4 * width}, {width})",
        "        block = nn.Sequential(up, nn.GELU(), down)",
        f"        self.blocks = nn.ModuleList(copy.deepcopy(block) for _ in range({blocks}))",
        f"        self.embed, self.head = nn.Embedding({vocabulary}, {width}), nn.Linear({width}, {vocabulary})",
    ]
