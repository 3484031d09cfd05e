# finding: generators-changed
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        torch.manual_seed(seed + number)
        tensors.append(torch.randn(count, device=device))
    return tensors
