# finding: other-shape
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    return [torch.randn(1, count, generator=own).to(device) for device in devices]
