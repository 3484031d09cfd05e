# finding: missing-gpu
import torch


def resolve(name, current, count):
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", current)
    return device
