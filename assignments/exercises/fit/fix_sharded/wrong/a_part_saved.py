# finding: part-saved
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
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
