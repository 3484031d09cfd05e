# finding: nothing-returned
import torch


def resolve(name, current, count):
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(name) from None
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", current)
    if device.type not in ("cpu", "cuda") or (device.type == "cuda" and device.index >= count):
        raise ValueError(name)
    print(device)
