# finding: other-generators-changed
import torch


def noise(seed, count, devices):
    tensors = []
    gpus = [device.index for device in devices if device.type == "cuda"]
    with torch.random.fork_rng(devices=gpus):
        for number, device in enumerate(devices):
            torch.manual_seed(seed + number)
            tensors.append(torch.randn(count, device=device))
    return tensors
