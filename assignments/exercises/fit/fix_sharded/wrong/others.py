# %% file_on_gpu
# finding: file-on-gpu
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)

# %% half_the_rate
# finding: other-weights
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.005, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)

# %% model_saved
# finding: other-file
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save({"model": weights}, path)

# %% other_name
# finding: raised-on-a-rank
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.layers:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)

# %% head_apart
# finding: further-group
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model.head)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)

# %% every_rank_saves
# finding: written-by-all
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    torch.save(get_model_state_dict(model, options=options), path)

# %% not_sharded
# finding: whole-parameters
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)

# %% root_first
# finding: root-first
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    fully_shard(model)
    for block in model.blocks:
        fully_shard(block)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)

# %% one_group_of_blocks
# finding: block-without-group
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    fully_shard([*model.blocks])
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)
