import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def fix_sharded(model, train, path):
    """Shard the model over all ranks, train it, and save all its weights on rank 0."""
    ### BEGIN SOLUTION
    # The blocks first: the whole model takes what is left.
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    # Now, because `fully_shard` has replaced the parameters. An optimizer made earlier has the old ones, which
    # get no gradients, so that it changes nothing.
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    train(model, optimizer)
    # The parameters are shares. To gather them is an exchange, so all ranks do it, and one of them saves.
    options = StateDictOptions(full_state_dict=True, cpu_offload=True)
    weights = get_model_state_dict(model, options=options)
    if dist.get_rank() == 0:
        torch.save(weights, path)
    return
    ### END SOLUTION
    # Delete the line above. The program to fix is below.
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    fully_shard(model)
    for block in model.blocks:
        fully_shard(block)
    train(model, optimizer)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)


# %% try
# `torchrun` starts the ranks. A single notebook has none.
