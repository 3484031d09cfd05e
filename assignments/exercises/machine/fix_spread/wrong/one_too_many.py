# finding: one-too-many
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i <= gpus and i < torch.cuda.device_count():
            device = torch.device("cuda", i)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors
