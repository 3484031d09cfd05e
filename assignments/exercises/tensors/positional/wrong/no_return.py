# finding: nothing-returned
import torch


def positional(n, d, device):
    table = torch.empty(n, d, device=device)
