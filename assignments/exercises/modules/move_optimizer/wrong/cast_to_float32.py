# finding: state-changed
import copy

import torch
from torch import nn


def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device, torch.float32)
