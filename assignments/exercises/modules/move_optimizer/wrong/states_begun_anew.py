# finding: state-changed
import torch


def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = torch.zeros_like(state, device=device)
