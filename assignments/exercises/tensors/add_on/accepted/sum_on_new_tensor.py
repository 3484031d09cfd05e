import torch


def add_on(a, b, where):
    device = torch.device("cpu") if where == "cpu" else (a if where == "a" else b).device
    moved = [x if x.device == device else x.to(device) for x in (a, b) if x.dim() or x.is_cuda]
    stayed = [x for x in (a, b) if not (x.dim() or x.is_cuda)]
    first, second = moved + stayed
    return torch.add(first, second)
