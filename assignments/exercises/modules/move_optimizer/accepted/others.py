# %% all_but_step
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name in states:
            if name != "step":
                states[name] = states[name].to(device)

# %% looked_up_by_parameter
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

# %% through_its_own_checkpoint
def move_optimizer(net, optimizer, device):
    net.to(device)
    # load_state_dict casts the states to the place of their parameters, and keeps `step`.
    optimizer.load_state_dict(optimizer.state_dict())
