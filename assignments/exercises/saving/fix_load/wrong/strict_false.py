# finding: weights-not-loaded
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"], strict=False)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs
