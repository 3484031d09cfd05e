# finding: default-used
import torch


def build_on(make, device):
    with torch.cuda.device(device):
        return make()
