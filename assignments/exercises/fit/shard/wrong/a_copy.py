# finding: whole-parameters
import copy

from torch.distributed.fsdp import fully_shard


def shard(model):
    model = copy.deepcopy(model).cuda()
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return model
