# finding: wrong-place
import torch


def cheapest(a, b):
    return torch.tensor(a.tolist(), dtype=a.dtype, device=b.device) + b
