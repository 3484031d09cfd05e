# outcome: raised
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    return [torch.randn(count, generator=own, device=device) for device in devices]
