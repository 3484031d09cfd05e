# finding: other-values
import torch


def mend_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        device = torch.device("cuda", i) if i < gpus else torch.device("cpu")
        dtype = torch.int64 if isinstance(part[0], int) else torch.float32
        tensors.append(torch.tensor(part, dtype=dtype, device=device))
    return tensors
