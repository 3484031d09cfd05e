# finding: other-values
import torch


def positional(n, d, device):
    position = torch.arange(n, device=device).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(d // 2, device=device) / d)
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d)
