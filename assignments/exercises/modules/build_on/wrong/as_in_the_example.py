# finding: other-device
import torch


def build_on(make, device):
    with torch.device("cuda:1"):
        return make()
