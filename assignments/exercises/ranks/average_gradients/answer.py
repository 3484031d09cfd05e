import torch
import torch.distributed as dist


def average_gradients(model, samples):
    """Give every rank the gradient of the mean loss over all samples of all ranks."""
    ### BEGIN SOLUTION
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if not parameter.requires_grad:
            continue
        if parameter.grad is None:  # this rank takes part in the exchange all the same
            parameter.grad = torch.zeros_like(parameter)
        # A mean over some of the samples counts by their share of all.
        parameter.grad *= samples / total.item()
        dist.all_reduce(parameter.grad)
    ### END SOLUTION


# %% try
# `torchrun` starts the ranks. A single notebook has none.
