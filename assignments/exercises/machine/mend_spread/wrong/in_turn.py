# finding: in-turn
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if gpus:
            device = torch.device("cuda", i % gpus)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors
