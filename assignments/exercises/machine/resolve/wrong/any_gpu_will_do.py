# finding: missing-gpu
import torch


def resolve(name, current, count):
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type == "cpu":
        return device
    if device.type != "cuda" or count < 1:
        raise ValueError(name)
    return torch.device("cuda", current) if device.index is None else device
