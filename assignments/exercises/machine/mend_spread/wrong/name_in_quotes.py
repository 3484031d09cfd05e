# finding: no-name-of-a-device
import torch


def mend_spread(parts, gpus):
    return [
        torch.tensor(part, device="cuda:i" if i < gpus else "cpu") for i, part in enumerate(parts)
    ]
