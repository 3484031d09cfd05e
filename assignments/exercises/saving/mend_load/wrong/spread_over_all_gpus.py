# finding: detour
import torch


def mend_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = torch.nn.DataParallel(model)
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    return [model((batch.to(device) - mean) / std) for batch in batches]
