# finding: detour
import torch


def load_anywhere(path, model, device):
    try:
        state_dict = torch.load(path)
    except RuntimeError:
        state_dict = torch.load(path, map_location="cpu")
    model.load_state_dict(state_dict)
    return model.to(device)
