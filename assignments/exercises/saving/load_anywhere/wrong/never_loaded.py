# finding: not-loaded
import torch


def load_anywhere(path, model, device):
    state_dict = torch.load(path, map_location="cpu")
    clean = {key.removeprefix("module."): value for key, value in state_dict.items()}
    return model.to(device)
