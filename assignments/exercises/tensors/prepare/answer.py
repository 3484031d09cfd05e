import torch


def prepare(images, mean):
    """Return `images` less `mean`, with a last column of ones, on the device of `images`."""
    ### BEGIN SOLUTION
    # The smaller tensor travels to the larger one, and what is new is created in its place.
    ones = torch.ones(len(images), 1, device=images.device)
    centred = images - mean.to(images.device)
    return torch.cat([centred, ones], dim=1)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# prepare(torch.ones(2, 3, device=devices[1]), torch.zeros(3))   # a tensor of ones on cuda:1
