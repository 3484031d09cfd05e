# finding: one-group-for-all
from torch.distributed.fsdp import fully_shard


def shard(model):
    fully_shard([*model.blocks])
    fully_shard(model)
