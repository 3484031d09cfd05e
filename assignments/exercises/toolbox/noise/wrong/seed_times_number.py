# finding: same-on-every-device
import torch

def noise(seed, count, devices):
    return [torch.randn(count, generator=torch.Generator().manual_seed(seed * (i + 1))).to(d) for i, d in enumerate(devices)]
