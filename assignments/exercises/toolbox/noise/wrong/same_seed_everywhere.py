# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    return [
        torch.randn(count, generator=torch.Generator(device).manual_seed(seed), device=device)
        for device in devices
    ]
