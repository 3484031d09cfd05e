# finding: optimizer-first
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    fully_shard(model)
    return optimizer
