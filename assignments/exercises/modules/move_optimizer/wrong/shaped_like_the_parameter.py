# finding: names-forgotten
import copy

import torch
from torch import nn


def move_optimizer(net, optimizer, device):
    net.to(device)
    for p, states in optimizer.state.items():
        for k in states:
            if states[k].shape == p.shape:
                states[k] = states[k].to(p.device)
