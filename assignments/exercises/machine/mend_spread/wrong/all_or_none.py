# finding: on-the-cpu
import torch


def mend_spread(parts, gpus):
    if len(parts) > gpus:
        return [torch.tensor(p) for p in parts]
    return [torch.tensor(p, device=f"cuda:{i}") for i, p in enumerate(parts)]
