import torch


def noise(seed, count, devices):
    tensors = []
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        for number, device in enumerate(devices):
            torch.manual_seed(seed * 64 + number)
            tensors.append(torch.randn(count, device=device))
    return tensors
