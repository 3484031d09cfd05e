# finding: training-differs
import torch


def move_optimizer(net, optimizer, device):
    net.to(device, torch.float16)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
