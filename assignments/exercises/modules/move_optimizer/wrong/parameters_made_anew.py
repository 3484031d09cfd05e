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
