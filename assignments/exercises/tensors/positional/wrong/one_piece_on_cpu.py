# finding: copied-on-the-way
import torch


def positional(n, d, device):
    position = torch.arange(n, device=device).unsqueeze(1)
    rate = (10000 ** (torch.arange(0, d, 2) / d)).to(device)
    table = torch.empty(n, d, device=device)
    table[:, 0::2] = (position / rate).sin()
    table[:, 1::2] = (position / rate).cos()
    return table
