# finding: not-raised
import torch


def resolve(name, current, count):
    """Return the device that `name` means. Raises ValueError if there is no such device."""
    try:
        device = torch.device(name)
    except RuntimeError:
        return ValueError(name)
    if device.type == "cpu":
        return device
    index = current if device.index is None else device.index
    if device.type != "cuda" or index >= count:
        return ValueError(name)
    return torch.device("cuda", index)
