# finding: objects-run
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=False))
    return model.to(device)
