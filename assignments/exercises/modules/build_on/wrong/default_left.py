# finding: default-left
import torch


def build_on(make, device):
    torch.set_default_device(device)
    return make()
