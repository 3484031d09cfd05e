# finding: other-type
import torch


def resolve(name, current, count):
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type != "cuda":
        return device
    index = current if device.index is None else device.index
    if index >= count:
        raise ValueError(name)
    return torch.device("cuda", index)
