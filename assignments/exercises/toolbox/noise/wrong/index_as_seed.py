# outcome: raised
import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        own = torch.Generator(device).manual_seed(1000 * seed + device.index)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors
