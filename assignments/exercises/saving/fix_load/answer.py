import torch


def fix_load(path, model, batches, device):
    """Load the checkpoint `path` into `model`; return its output for each batch."""
    ### BEGIN SOLUTION
    # The tags name GPUs of the server. Read to the CPU, which every machine has.
    checkpoint = torch.load(path, map_location="cpu")
    # The wrapper's prefix stands before every key. `strict=False` would load nothing, silently.
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    # Loading has moved neither the model nor the two tensors. Once, before the loop, is enough.
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run. `mock.patch` pretends that we save on the server.
# import tempfile
# from unittest import mock
#
# model = torch.nn.Linear(2, 1)
# content = {
#     "model": torch.nn.DataParallel(torch.nn.Linear(2, 1)).state_dict(),
#     "mean": torch.zeros(2),
#     "std": torch.ones(2),
# }
# with tempfile.TemporaryDirectory() as folder:
#     with mock.patch("torch.serialization.location_tag", lambda storage: "cuda:7"):
#         torch.save(content, f"{folder}/checkpoint.pt")
#     print(fix_load(f"{folder}/checkpoint.pt", model, [torch.ones(3, 2)] * 2, devices[1]))
