# finding: too-many
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        try:
            tensors.append(torch.tensor(part, device=f"cuda:{i}"))
        except RuntimeError:
            tensors.append(torch.tensor(part))
    return tensors
