# finding: not-sharded
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    return torch.optim.AdamW(model.parameters(), lr=0.01)
