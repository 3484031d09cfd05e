# finding: other-error
import torch


def resolve(name, current, count):
    device = torch.device(name)
    if device.type == "cpu":
        return device
    index = current if device.index is None else device.index
    if device.type != "cuda" or index >= count:
        raise ValueError(name)
    return torch.device("cuda", index)
