# finding: one-element-left
import copy

import torch
from torch import nn


def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.numel() > 1:
                states[name] = state.to(device)
