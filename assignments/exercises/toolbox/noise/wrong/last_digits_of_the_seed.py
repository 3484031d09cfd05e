# finding: same-for-every-seed
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator(device).manual_seed(seed % 1000 * 100 + number)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors
