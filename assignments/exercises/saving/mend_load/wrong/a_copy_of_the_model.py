# finding: model-elsewhere
import copy

import torch


def mend_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    loaded = copy.deepcopy(model)
    loaded.load_state_dict({key[7:]: value for key, value in checkpoint["model"].items()})
    loaded.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    return [loaded((batch.to(device) - mean) / std) for batch in batches]
