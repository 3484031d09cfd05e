# finding: not-repeatable
import torch

_generators = {}


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        if device not in _generators:
            _generators[device] = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=_generators[device], device=device))
    return tensors
