# finding: root-first
from torch.distributed.fsdp import fully_shard


def shard(model):
    fully_shard(model)
    for block in model.blocks:
        fully_shard(block)
