# finding: other-device
import torch


def resolve(name, current, count):
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type == "cpu":
        return device
    index = device.index or current
    if device.type != "cuda" or index >= count:
        raise ValueError(name)
    return torch.device("cuda", index)
