# finding: on-the-cpu
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        t = torch.tensor(part)
        if i < gpus:
            t.to(f"cuda:{i}")
        tensors.append(t)
    return tensors
