# finding: gathered-and-kept
from torch.distributed.fsdp import fully_shard


def shard(model):
    for block in model.blocks:
        fully_shard(block, reshard_after_forward=False)
    fully_shard(model)
