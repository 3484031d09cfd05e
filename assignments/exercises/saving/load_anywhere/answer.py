import torch


def load_anywhere(path, model, device):
    """Load the state dict in the file `path` into `model`, on `device`, and return the model."""
    ### BEGIN SOLUTION
    # Three steps. Every machine has a CPU, and it costs no GPU memory: no tag is followed.
    # `load_state_dict` copies into the parameters that are there, wherever and of whatever dtype
    # they are. `Module.to` brings them to the device, in place. All defaults are the safe ones:
    # `weights_only=True`, `strict=True`, `assign=False`.
    state_dict = torch.load(path, map_location="cpu")
    model.load_state_dict(state_dict)
    return model.to(device)
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run.
# import tempfile
#
# with tempfile.TemporaryDirectory() as folder:
#     torch.save(torch.nn.Linear(2, 2, device=devices[3]).state_dict(), f"{folder}/weights.pt")
#     net = load_anywhere(f"{folder}/weights.pt", torch.nn.Linear(2, 2), devices[1])
# print(net.weight.device)
