import math

import torch


def positional(n, d, device):
    table = torch.zeros(n, d, device=device)
    p = torch.arange(n, dtype=torch.float32, device=device)[:, None]
    rate = torch.exp(torch.arange(0, d, 2, device=device) * (-math.log(10000.0) / d))
    table[:, 0::2] = torch.sin(p * rate)
    table[:, 1::2] = torch.cos(p * rate)
    return table
