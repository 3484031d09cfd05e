# finding: make-not-called
import torch


def build_on(make, device):
    with torch.device(device):
        return make
