# finding: other-values
import torch


def mend_spread(parts, gpus):
    return [torch.tensor(part, device=f"cuda:{i}" if i < gpus else "cpu", dtype=torch.float32)
            for i, part in enumerate(parts)]
