# finding: not-the-model
import torch


def load_anywhere(path, model, device):
    return torch.load(path, map_location=device)
