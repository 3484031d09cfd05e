# finding: wrong-dtype
import torch


def positional(n, d, device):
    position = torch.arange(n, device=device, dtype=torch.float64).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d)
