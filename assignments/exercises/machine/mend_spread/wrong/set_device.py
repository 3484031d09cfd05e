# finding: current-changed
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus:
            torch.cuda.set_device(i)
            tensors.append(torch.tensor(part, device="cuda"))
        else:
            tensors.append(torch.tensor(part))
    return tensors
