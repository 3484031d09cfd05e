# finding: input-changed
import torch


def mend_spread(parts, gpus):
    for i, part in enumerate(parts):
        parts[i] = torch.tensor(part, device=f"cuda:{i}" if i < gpus else "cpu")
    return parts
