import torch


def fix_spread(parts, gpus):
    tensors = ()
    for i, part in enumerate(parts):
        if i >= gpus:
            tensors += (torch.tensor(part),)
            continue
        with torch.cuda.device(i):
            tensors += (torch.tensor(part, device="cuda"),)
    return tensors
