# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    numbers = torch.randn(count + len(devices), generator=own)
    return [numbers[i : i + count].to(device) for i, device in enumerate(devices)]
