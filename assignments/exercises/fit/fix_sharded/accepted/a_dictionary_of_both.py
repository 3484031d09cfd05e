import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    optimizer = torch.optim.AdamW([{"params": list(model.parameters())}], lr=0.01, fused=True)
    train(model, optimizer)
    weights, _ = get_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))
    if dist.get_rank() == 0:
        torch.save({name: tensor.cpu() for name, tensor in weights.items()}, path)
