# finding: copied-away
import torch


def positional(n, d, device):
    position = torch.arange(n, device=device).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
    assert all(row[0] >= 0 for row in angle.tolist())
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d)
