import torch


def load(numbers, card):
    """Return a tensor of `numbers` on the GPU with the index `card`."""
    ### BEGIN SOLUTION
    # A name with an index does not depend on which GPU is the current one.
    return torch.tensor(numbers, device=f"cuda:{card}")
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# load([1.0, 2.0], card=1).device   # cuda:1
