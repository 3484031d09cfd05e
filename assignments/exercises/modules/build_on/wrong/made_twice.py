# finding: called-again
import torch


def build_on(make, device):
    with torch.device(device):
        make()
        return make()
