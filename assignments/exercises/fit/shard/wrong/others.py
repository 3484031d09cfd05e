# %% half_of_the_blocks
# finding: block-without-group
from torch.distributed.fsdp import fully_shard


def shard(model):
    for block in model.blocks[::2]:
        fully_shard(block)
    fully_shard(model)
