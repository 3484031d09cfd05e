import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    for part in [*model.blocks, model]:
        fully_shard(part)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    # Every rank takes part in each exchange, and one of them saves.
    weights = {name: each.full_tensor().cpu() for name, each in model.state_dict().items()}
    if dist.get_rank() == 0:
        torch.save(weights, path)
