# finding: not-the-model
import torch


def load_anywhere(path, model, device):
    return model.to(device).load_state_dict(torch.load(path, map_location=device))
