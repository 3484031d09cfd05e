# finding: net-left-behind
import copy

import torch
from torch import nn


def move_optimizer(net, optimizer, device):
    for p in net.parameters():
        p.data = p.data.to(device)
        if p.grad is not None:
            p.grad = p.grad.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
