# finding: current-device-changed
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        if device.type == "cuda":
            torch.cuda.set_device(device)
        own = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors
