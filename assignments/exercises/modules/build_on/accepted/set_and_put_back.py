import torch


def build_on(make, device):
    before = torch.get_default_device()
    torch.set_default_device(device)
    try:
        return make()
    finally:
        torch.set_default_device(before)
