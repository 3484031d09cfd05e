import torch


def resolve(name, current, count):
    """Return the device that `name` means. Raises ValueError if there is no such device."""
    ### BEGIN SOLUTION
    # PyTorch takes the string apart. It does not know, or ask, which GPUs exist.
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type == "cpu":
        return device
    index = current if device.index is None else device.index
    if device.type != "cuda" or index >= count:
        raise ValueError(name)
    return torch.device("cuda", index)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(resolve("cuda", current=2, count=4))
# resolve("cuda:4", current=0, count=4)     # ValueError
