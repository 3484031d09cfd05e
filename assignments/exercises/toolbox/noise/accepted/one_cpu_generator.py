import torch


def noise(seed, count, devices):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(count, generator=generator).to(device) for device in devices]
