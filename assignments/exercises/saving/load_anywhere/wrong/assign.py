# finding: parameters-replaced
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location=device), assign=True)
    return model
