# finding: parts-missing
import torch


def fix_spread(parts, gpus):
    return [torch.tensor(part, device=f"cuda:{i}") for i, part in enumerate(parts[:gpus])]
