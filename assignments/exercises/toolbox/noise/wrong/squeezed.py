# finding: other-shape
import torch

def noise(seed, count, devices):
    g = torch.Generator().manual_seed(seed)
    return [torch.randn(1, count, generator=g).squeeze().to(d) for d in devices]
