# finding: another-module
import copy

import torch


def build_on(make, device):
    with torch.device(device):
        return copy.deepcopy(make())
