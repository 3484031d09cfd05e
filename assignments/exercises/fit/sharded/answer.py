import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    """Shard the model by block. Returns the AdamW that trains it."""
    ### BEGIN SOLUTION
    for block in model.blocks:  # each block is a group, whose parameters are gathered together
        fully_shard(block)
    fully_shard(model)  # the rest: embeddings, norm and head
    # Only now do the parameters exist that are trained: shards.
    return torch.optim.AdamW(model.parameters(), lr=0.01)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# from gpt import GPT
# with one_of(4): print(len(sharded(GPT()).param_groups[0]["params"]))
