# finding: not-repeatable
import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        own = torch.Generator(device)
        own.seed()
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors
