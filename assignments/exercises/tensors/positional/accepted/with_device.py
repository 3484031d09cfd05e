import torch


def positional(n, d, device):
    with device:
        position = torch.arange(n).unsqueeze(1)
        angle = position / 10000 ** (torch.arange(0, d, 2) / d)
        return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d)
