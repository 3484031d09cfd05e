import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    [fully_shard(block) for block in model.blocks]
    model = fully_shard(model)
    return torch.optim.AdamW(model.parameters(), 0.01)
