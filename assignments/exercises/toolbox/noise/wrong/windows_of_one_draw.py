# finding: same-on-every-device
import torch

def noise(seed, count, devices):
    x = torch.randn(count + len(devices), generator=torch.Generator().manual_seed(seed))
    return [x[i:i + count].to(d) for i, d in enumerate(devices)]
