# finding: no-device-attribute
import torch


def build_on(make, device):
    with torch.device(device):
        module = make()
    assert module.device == device
    return module
