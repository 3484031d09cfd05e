# finding: model-left-behind
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location=device))
    return model
