# finding: copy-taken-for-sharing
import torch


def shares_storage(a, b):
    return a.device == b.device and torch.equal(a, b)
