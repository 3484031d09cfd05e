# finding: missing-gpu
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if gpus >= i:
            device = torch.device("cuda", i)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors
