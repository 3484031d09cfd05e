import torch


def fix_spread(parts, gpus):
    names = [f"cuda:{i}" for i in range(gpus)] + ["cpu"] * len(parts)
    return [torch.tensor(part, device=name) for part, name in zip(parts, names)]
