# finding: nothing-returned
import torch


def build_on(make, device):
    with torch.device(device):
        make()
