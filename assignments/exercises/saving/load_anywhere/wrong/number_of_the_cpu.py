# finding: gpu-not-here
import torch


def load_anywhere(path, model, device):
    place = f"cuda:{device.index or 0}"
    model.load_state_dict(torch.load(path, map_location=place))
    return model.to(device)
