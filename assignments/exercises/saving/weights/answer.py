import torch
from torch import nn


def weights(trained, path, model, device):
    """Save the weights of `trained` to the file `path`; return `model` with them, on `device`."""
    ### BEGIN SOLUTION
    # DataParallel keeps the model under the name `module`. Without the wrapper, no key has its prefix.
    bare = trained.module if isinstance(trained, nn.DataParallel) else trained
    torch.save(bare.state_dict(), path)
    # The tags name GPUs of the server. The CPU exists on every machine.
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# trained = nn.DataParallel(nn.Linear(2, 1).to(devices[1]), device_ids=[1])
# print(weights(trained, "weights.pt", nn.Linear(2, 1), devices[2]).weight)
# print(list(torch.load("weights.pt")))
