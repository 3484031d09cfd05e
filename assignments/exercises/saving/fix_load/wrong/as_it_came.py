# finding: gpu-not-here
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    mean, std = checkpoint["mean"], checkpoint["std"]
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs
