# finding: context-manager
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=torch.cuda.device(card))
