import torch


def prepare(images, mean):
    """Return `images - mean` with a last column of ones, on the device of `images`."""
    ### BEGIN SOLUTION
    # The smaller tensor is copied to the larger one. The new tensor is created where it is needed.
    ones = torch.ones(len(images), 1, device=images.device)
    centred = images - mean.to(images.device)
    return torch.cat([centred, ones], dim=1)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# prepare(torch.ones(2, 3, device=devices[1]), torch.zeros(3))   # a tensor of ones on cuda:1
