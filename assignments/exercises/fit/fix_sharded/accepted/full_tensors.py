import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.functional import cross_entropy


def fix_sharded(model, batches, path):
    """Train the model, sharded over all ranks, and save all its weights on rank 0."""
    for part in [*model.blocks, model]:
        fully_shard(part)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for text in batches:
        scores = model(text[:, :-1])
        loss = cross_entropy(scores.flatten(0, 1), text[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    # Every rank takes part in each exchange, and one of them saves.
    weights = {name: each.full_tensor().cpu() for name, each in model.state_dict().items()}
    if dist.get_rank() == 0:
        torch.save(weights, path)
