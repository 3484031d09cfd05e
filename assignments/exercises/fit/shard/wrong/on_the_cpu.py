# finding: other-device
from torch.distributed.fsdp import CPUOffloadPolicy, fully_shard


def shard(model):
    for part in [*model.blocks, model]:
        fully_shard(part, offload_policy=CPUOffloadPolicy())
