# finding: sum-differs
import torch


def add_on(a, b, where):
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
    a = a if a.dim() == 0 and not a.is_cuda else a.to(place)
    b = b if b.dim() == 0 and not b.is_cuda else b.to(place, a.dtype)
    return torch.add(a, b)
