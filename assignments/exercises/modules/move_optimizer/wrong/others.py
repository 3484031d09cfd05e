# %% buffers_stay_behind
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

# %% cast_to_float32
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

# %% current_gpu
# finding: other-device
def move_optimizer(net, optimizer, device):
    net.cuda()
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.cuda()

# %% dicts_to
# finding: no-such-to
def move_optimizer(net, optimizer, device):
    net.to(device)
    for parameter, states in optimizer.state.items():
        optimizer.state[parameter] = states.to(device)

# %% gradients_dropped
# finding: gradient-lost
def move_optimizer(net, optimizer, device):
    optimizer.zero_grad()
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)

# %% groups_moved
# finding: parameters-replaced
def move_optimizer(net, optimizer, device):
    net.to(device)
    for group in optimizer.param_groups:
        group["params"] = [parameter.detach().clone() for parameter in group["params"]]

# %% layers_dropped
# finding: parameters-replaced
def move_optimizer(net, optimizer, device):
    while len(net):
        del net[0]
    optimizer.param_groups.clear()

# %% names_of_adam
# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name in ("exp_avg", "exp_avg_sq"):
            if name in states:
                states[name] = states[name].to(device)

# %% net_in_half
# finding: training-differs
import torch


def move_optimizer(net, optimizer, device):
    net.to(device, torch.float16)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)

# %% new_optimizer
# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    optimizer = type(optimizer)(net.parameters(), lr=optimizer.param_groups[0]["lr"])

# %% one_element_taken_for_none
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

# %% one_learning_rate
# finding: training-differs
def move_optimizer(net, optimizer, device):
    net.to(device)
    for group in optimizer.param_groups:
        group["lr"] = optimizer.param_groups[0]["lr"]
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)

# %% parameters_made_anew
# finding: parameters-replaced
from torch import nn


def move_optimizer(net, optimizer, device):
    for layer in net:
        layer.weight = nn.Parameter(layer.weight.to(device))
        layer.bias = nn.Parameter(layer.bias.to(device))
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)

# %% shaped_like_the_parameter
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

# %% states_begun_anew
# finding: state-changed
import torch


def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = torch.zeros_like(state, device=device)

# %% states_made_lists
# finding: state-changed
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.tolist()

# %% states_on_the_current_gpu
# finding: other-device
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.cuda()

# %% states_only
# finding: net-left-behind
def move_optimizer(net, optimizer, device):
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)

# %% to_not_kept
# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for state in states.values():
            state.to(device)

# %% weights_only
# finding: parameters-forgotten
def move_optimizer(net, optimizer, device):
    net.to(device)
    for layer in net:
        states = optimizer.state[layer.weight]
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)

# %% without_a_gradient_skipped
# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is None:
                continue
            states = optimizer.state[parameter]
            for name, state in states.items():
                if state.dim() > 0:
                    states[name] = state.to(device)

# %% momentum_by_name
# finding: momentum-only
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if name == "momentum_buffer":
                states[name] = state.to(device)

# %% names_of_the_lesson
# finding: names-forgotten
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name in ("momentum_buffer", "exp_avg", "exp_avg_sq"):
            if name in states:
                states[name] = states[name].to(device)

# %% step_too
# finding: step-counter-moved
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            states[name] = state.to(device)
