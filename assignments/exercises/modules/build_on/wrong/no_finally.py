# finding: default-left-by-error
import torch


def build_on(make, device):
    before = torch.get_default_device()
    torch.set_default_device(device)
    module = make()
    torch.set_default_device(before)
    return module
