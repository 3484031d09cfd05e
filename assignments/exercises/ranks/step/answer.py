import torch
import torch.distributed as dist
from torch import nn


def step(model, optimizer, batch, targets):
    """Make one step on all ranks with the mean loss over all samples of all ranks."""
    ### BEGIN SOLUTION
    # Sums can be added over ranks; means of different numbers of samples cannot.
    count = torch.tensor(float(len(batch)), device=batch.device)
    dist.all_reduce(count)
    loss = nn.functional.mse_loss(model(batch), targets, reduction="sum") / count
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()
    ### END SOLUTION


# %% try
# `torchrun` starts the ranks. A single notebook has none.
