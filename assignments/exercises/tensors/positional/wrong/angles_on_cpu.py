# finding: copied-on-the-way
import torch


def positional(n, d, device):
    position = torch.arange(n).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(0, d, 2) / d)
    table = torch.empty(n, d, device=device)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()
    return table
