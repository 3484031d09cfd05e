# finding: input-changed
import torch


def shares_storage(a, b):
    if a.device != b.device or a.numel() == 0 or b.numel() == 0:
        return False
    before = b.clone()
    kept = a.clone()
    a += 1
    shared = not torch.equal(before, b)
    a.copy_(kept)
    return shared
