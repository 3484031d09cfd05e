# finding: current-gpu
import torch


def build_on(make, device):
    with torch.device(device.type):
        return make()
