# finding: other-gpu
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=f"cuda:{card - 1}")
