# finding: nothing-returned
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        device = torch.device("cuda", i) if i < gpus else torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
