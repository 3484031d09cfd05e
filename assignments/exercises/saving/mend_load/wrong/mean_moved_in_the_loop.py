# finding: copied-in-every-step
import torch


def mend_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict({k.removeprefix("module."): v for k, v in checkpoint["model"].items()})
    model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean.to(device)) / std))
    return outputs
