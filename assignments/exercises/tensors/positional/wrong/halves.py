# finding: halves-side-by-side
import torch


def positional(n, d, device):
    position = torch.arange(n, device=device).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
    return torch.cat([angle.sin(), angle.cos()], dim=1)
