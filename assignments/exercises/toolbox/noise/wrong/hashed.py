# finding: not-repeatable
import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        generator = torch.Generator(device=device)
        generator.manual_seed(hash((seed, str(device))) % 2**63)
        tensors.append(torch.randn(count, generator=generator, device=device))
    return tensors
