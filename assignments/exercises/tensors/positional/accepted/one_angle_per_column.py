import torch


def positional(n, d, device):
    column = torch.arange(d, device=device)
    rate = torch.tensor(10000.0) ** (-(column - column % 2) / d)
    angle = torch.outer(torch.arange(n, device=device).float(), rate)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
