# finding: detour
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cuda:0")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs
