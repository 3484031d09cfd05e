import torch


def load_anywhere(path, model, device):
    model.to(device)
    model.load_state_dict(torch.load(path, map_location=device, weights_only=True))
    return model
