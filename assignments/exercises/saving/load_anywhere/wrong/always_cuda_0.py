# finding: detour
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cuda:0"))
    return model.to(device)
