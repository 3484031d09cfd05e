import torch


def load_anywhere(path, model, device):
    """Load the state dict in the file `path` into `model`, on `device`, and return the model."""
    ### BEGIN SOLUTION
    # Three steps. Every machine has a CPU, so no tag has to be followed and no GPU gives memory
    # to tensors that are only in transit. `load_state_dict` copies into the parameters that are
    # there, wherever and of whatever dtype they are. `Module.to` moves them in place.
    # All defaults are the safe ones: `weights_only=True`, `strict=True`, `assign=False`.
    state_dict = torch.load(path, map_location="cpu")
    model.load_state_dict(state_dict)
    return model.to(device)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run. `mock.patch` pretends that we save on a server.
# import tempfile
# from unittest import mock
#
# model = torch.nn.Linear(2, 2)
# with tempfile.TemporaryDirectory() as folder:
#     with mock.patch("torch.serialization.location_tag", lambda storage: "cuda:7"):
#         torch.save(model.state_dict(), f"{folder}/weights.pt")
#     model = load_anywhere(f"{folder}/weights.pt", model, devices[1])
# print(model.weight.device)
