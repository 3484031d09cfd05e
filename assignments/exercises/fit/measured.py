"""Measures the peaks in peaks.py on a virtual GPU. No check needs this file.

`python measured.py > peaks.py`, in this folder.
"""

import gc
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import combinations
from pathlib import Path

import torch
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint

import virtual_cuda

REMEDIES = ("bfloat16", "checkpoint", "fused", "sharding")
MACHINES = {
    "the lesson's model": {"layers": 6, "width": 192, "texts": 8},
    "a small model and many texts": {"layers": 6, "width": 64, "texts": 32},
    "a wide model and one text": {"layers": 4, "width": 256, "texts": 1},
    "one wide block": {"layers": 1, "width": 256, "texts": 16},
}


def peak(layers: int, width: int, texts: int, remedies: Sequence[str]) -> float:
    """MiB at the peak of the second step on one GPU, or on rank 0 of four with "sharding"."""
    from gpt import GPT
    from group import one_of

    gc.collect()
    before = torch.cuda.memory_allocated()
    with ExitStack() as stack:
        torch.manual_seed(0)
        model = GPT(layers=layers, width=width)
        rounds = "bfloat16" in remedies
        if "sharding" in remedies:
            stack.enter_context(one_of(4))
            policy = MixedPrecisionPolicy(torch.bfloat16 if rounds else None, torch.float32)
            for part in (*model.blocks, model):
                fully_shard(part, mp_policy=policy)
        else:
            model.cuda()
        # `fused=False` would also switch `foreach` off.
        optimizer = torch.optim.AdamW(model.parameters(), fused="fused" in remedies or None)
        again = partial(model, run=partial(checkpoint, use_reentrant=False))
        score = again if "checkpoint" in remedies else model
        text = torch.randint(256, (texts, 65), device="cuda")
        for _ in range(2):
            torch.cuda.reset_peak_memory_stats()
            with torch.autocast("cuda", torch.bfloat16, rounds and "sharding" not in remedies):
                scores = score(text[:, :-1])
                loss = cross_entropy(scores.flatten(0, 1), text[:, 1:].flatten())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        return (torch.cuda.max_memory_allocated() - before) / 2**20


def main() -> None:
    """Print peaks.py."""
    sys.path.insert(0, str(Path(__file__).parent))
    torch.set_num_threads(1)
    virtual_cuda.enable(1, quiet=True, hide_real_gpus=True)
    sets = [each for count in range(5) for each in combinations(REMEDIES, count)]
    print('"""Peaks of a training step in MiB, as measured.py measures them."""\n\nPEAKS = {')
    for name, sizes in MACHINES.items():
        print(f'    "{name}": {{')
        for each in sets:
            print(f'        "{" ".join(each)}": {peak(**sizes, remedies=each):.1f},')
        print("    },")
    print('}\n"""Machine → remedies, joined by a space → MiB."""')


if __name__ == "__main__":
    main()
