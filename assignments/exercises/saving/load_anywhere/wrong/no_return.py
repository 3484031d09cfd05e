# finding: nothing-returned
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location=device))
    model.to(device)
