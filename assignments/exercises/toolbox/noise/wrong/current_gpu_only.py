# finding: not-repeatable
import torch


def noise(seed, count, devices):
    torch.cuda.manual_seed(seed)
    return [torch.randn(count, device=device) for device in devices]
