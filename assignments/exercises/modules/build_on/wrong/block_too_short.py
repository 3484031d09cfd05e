# finding: default-used
import torch


def build_on(make, device):
    with torch.device(device):
        build = make
    return build()
