# finding: other-weights
import torch
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def shard(model):
    for part in [*model.blocks, model]:
        fully_shard(part, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
