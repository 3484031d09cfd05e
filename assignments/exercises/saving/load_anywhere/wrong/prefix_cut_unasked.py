# finding: silent-mismatch
import torch


def load_anywhere(path, model, device):
    loaded = torch.load(path, map_location="cpu")
    model.load_state_dict({key.removeprefix("module."): value for key, value in loaded.items()})
    return model.to(device)
