import copy

import torch
from torch import nn


def move_optimizer(net, optimizer, device):
    net.to(device)
    for p in net.parameters():
        for k, v in optimizer.state[p].items():
            if v.dim():
                optimizer.state[p][k] = v.to(device)
    return net, optimizer
