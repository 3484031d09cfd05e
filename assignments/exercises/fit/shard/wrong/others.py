# %% half_of_the_blocks
# finding: block-without-group
from torch.distributed.fsdp import fully_shard


def shard(model):
    for block in model.blocks[::2]:
        fully_shard(block)
    fully_shard(model)

# %% blocks_in_pairs
# finding: other-peak
from torch.distributed.fsdp import fully_shard


def shard(model):
    blocks = list(model.blocks)
    for number in range(0, len(blocks), 2):
        fully_shard(blocks[number : number + 2])
    fully_shard(model)

# %% other_name
# finding: raised-on-a-rank
from torch.distributed.fsdp import fully_shard


def shard(model):
    for block in model.layers:
        fully_shard(block)
    fully_shard(model)

# %% on_the_gpu_first
# finding: whole-on-a-gpu
from torch.distributed.fsdp import fully_shard


def shard(model):
    model.cuda()
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)

# %% in_bfloat16
# finding: not-float32
from torch.distributed.fsdp import fully_shard


def shard(model):
    model.bfloat16()
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)

# %% every_child
# finding: raised-on-a-rank
from torch.distributed.fsdp import fully_shard


def shard(model):
    for child in model.children():
        fully_shard(child)

# %% blocks_as_one_group
# finding: one-group-for-all
from torch.distributed.fsdp import fully_shard


def shard(model):
    fully_shard([*model.blocks])
    fully_shard(model)

# %% on_the_cpu
# finding: other-device
from torch.distributed.fsdp import CPUOffloadPolicy, fully_shard


def shard(model):
    for part in [*model.blocks, model]:
        fully_shard(part, offload_policy=CPUOffloadPolicy())

# %% root_forgotten
# finding: root-forgotten
from torch.distributed.fsdp import fully_shard


def shard(model):
    for block in model.blocks:
        fully_shard(block)

# %% rounded
# finding: other-weights
import torch
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def shard(model):
    for part in [*model.blocks, model]:
        fully_shard(part, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
