# finding: not-loaded
import torch


def load_anywhere(path, model, device):
    loaded = torch.load(path, map_location="cpu")
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(loaded[key])
    return model.to(device)
