import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for module in reversed(list(model.modules())):
        if module in list(model.blocks) or module is model:
            fully_shard(module)
    return torch.optim.AdamW(model.parameters(), lr=0.01)
