# finding: root-first
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    fully_shard(model)
    for block in model.blocks:
        fully_shard(block)
    return torch.optim.AdamW(model.parameters(), lr=0.01)
