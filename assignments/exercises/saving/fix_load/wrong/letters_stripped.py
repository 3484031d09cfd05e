# finding: keys-do-not-fit
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location=device)
    weights = {key.lstrip("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(weights)
    model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"]
    return [model((batch.to(device) - mean) / std) for batch in batches]
