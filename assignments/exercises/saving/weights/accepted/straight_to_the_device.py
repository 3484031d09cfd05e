import torch
from torch import nn


def weights(trained, path, model, device):
    if isinstance(trained, nn.DataParallel):
        trained = trained.module
    torch.save(trained.state_dict(), path)
    model.to(device)
    model.load_state_dict(torch.load(path, map_location=device))
    return model
