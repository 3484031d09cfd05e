# finding: no-name-of-a-device
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda:card")
