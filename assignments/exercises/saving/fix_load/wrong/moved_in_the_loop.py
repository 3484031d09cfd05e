# finding: copied-in-every-step
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"]
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean.to(device)) / std.to(device)))
    return outputs
