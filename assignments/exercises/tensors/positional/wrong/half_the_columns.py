# finding: wrong-shape
import torch


def positional(n, d, device):
    position = torch.arange(n, device=device).unsqueeze(1)
    return (position / 10000 ** (torch.arange(0, d, 2, device=device) / d)).sin()
