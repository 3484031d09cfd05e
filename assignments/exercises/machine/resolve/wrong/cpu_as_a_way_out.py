# finding: cpu-instead
import torch


def resolve(name, current, count):
    """Return the device that `name` means. Raises ValueError if there is no such device."""
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type == "cpu":
        return device
    index = current if device.index is None else device.index
    if device.type != "cuda" or index >= count:
        return torch.device("cpu")
    return torch.device("cuda", index)
