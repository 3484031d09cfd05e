# finding: the-current-one
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus:
            device = torch.device("cuda")
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors
