# finding: index-left-out
import torch


def resolve(name, current, count):
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type not in ("cpu", "cuda") or (device.index or 0) >= count > 0:
        raise ValueError(name)
    return device
