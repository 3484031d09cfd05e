import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        place = 0 if device.type == "cpu" else device.index + 1
        own = torch.Generator(device).manual_seed(seed * 100 + place)
        tensors.append(torch.normal(0.0, 1.0, (count,), generator=own, device=device))
    return tensors
