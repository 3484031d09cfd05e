# finding: root-forgotten
from torch.distributed.fsdp import fully_shard


def shard(model):
    for block in model.blocks:
        fully_shard(block)
