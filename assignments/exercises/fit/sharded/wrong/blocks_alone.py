# finding: root-left-out
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block)
    return torch.optim.AdamW(model.parameters(), lr=0.01)
