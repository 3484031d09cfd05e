# finding: on-the-cpu
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus:
            with torch.cuda.device(i):
                tensors.append(torch.tensor(part))
        else:
            tensors.append(torch.tensor(part))
    return tensors
