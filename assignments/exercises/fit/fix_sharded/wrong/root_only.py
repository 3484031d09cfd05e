# finding: block-without-group
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard
from torch.nn.functional import cross_entropy


def fix_sharded(model, batches, path):
    """Train the model, sharded over all ranks, and save all its weights on rank 0."""
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for text in batches:
        scores = model(text[:, :-1])
        loss = cross_entropy(scores.flatten(0, 1), text[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)
