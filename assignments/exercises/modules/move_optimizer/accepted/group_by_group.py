import torch


def move_optimizer(net, optimizer, device):
    net = net.to(device)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            states = optimizer.state.get(parameter, {})
            moved = {
                name: state.to(parameter.device)
                for name, state in states.items()
                if torch.is_tensor(state) and state.ndim
            }
            states.update(moved)
    return net, optimizer
