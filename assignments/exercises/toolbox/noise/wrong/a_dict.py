# finding: other-form
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    return {device: torch.randn(count, generator=own).to(device) for device in devices}
