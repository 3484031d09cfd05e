import torch


def noise(seed, count, devices):
    own = torch.Generator()
    own.manual_seed(seed)
    rows = torch.randn(len(devices), count, generator=own)
    return [row.to(device) for row, device in zip(rows, devices)]
