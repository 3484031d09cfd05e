# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    return [torch.randn(count, device=device) for device in devices]
