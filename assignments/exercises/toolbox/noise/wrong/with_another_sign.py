# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator().manual_seed(seed + number // 2)
        tensors.append((torch.randn(count, generator=own) * (-1) ** number).to(device))
    return tensors
