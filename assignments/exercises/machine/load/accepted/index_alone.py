import torch


def load(numbers, card):
    return torch.tensor(numbers, device=card)
