# finding: other-distribution
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=own, device=device) * (number + 1))
    return tensors
