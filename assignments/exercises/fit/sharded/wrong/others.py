# %% returns_the_model
# finding: no-optimizer
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return model

# %% other_rate
# finding: other-weights
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return torch.optim.AdamW(model.parameters())

# %% halves
# finding: whole-at-once
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    fully_shard([*model.blocks])
    fully_shard(model)
    return torch.optim.AdamW(model.parameters(), lr=0.01)

# %% fused_blocks_alone
# finding: root-left-out
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block)
    return torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)

# %% some_on_the_cpu
# finding: step-raised
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model.cpu()
    return optimizer

# %% never_freed
# finding: gathered-and-kept
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block, reshard_after_forward=False)
    fully_shard(model)
    return torch.optim.AdamW(model.parameters(), lr=0.01)

# %% rate_times_ranks
# finding: scaled-rate
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard


def sharded(model):
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return torch.optim.AdamW(model.parameters(), lr=0.01 * dist.get_world_size())

# %% blocks_after_the_optimizer
# finding: optimizer-first
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return optimizer

# %% model_alone
# finding: whole-at-once
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    fully_shard(model)
    return torch.optim.AdamW(model.parameters(), lr=0.01)
