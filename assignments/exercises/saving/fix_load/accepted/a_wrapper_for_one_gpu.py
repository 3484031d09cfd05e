import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location=str(device))
    model.to(device)
    wrapped = torch.nn.DataParallel(model, [device] if device.type == "cuda" else None)
    wrapped.load_state_dict(checkpoint["model"])
    mean, std = checkpoint["mean"], checkpoint["std"]
    return [wrapped((batch.to(device) - mean) / std) for batch in batches]
