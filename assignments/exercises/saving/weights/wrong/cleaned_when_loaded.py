# finding: prefix-saved
import torch
from torch import nn


def weights(trained, path, model, device):
    torch.save(trained.state_dict(), path)
    state_dict = torch.load(path, map_location="cpu")
    if isinstance(trained, nn.DataParallel):
        state_dict = {key.removeprefix("module."): value for key, value in state_dict.items()}
    model.load_state_dict(state_dict)
    return model.to(device)
