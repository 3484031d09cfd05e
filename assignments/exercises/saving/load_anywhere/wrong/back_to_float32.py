# finding: dtype-changed
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device).float()
