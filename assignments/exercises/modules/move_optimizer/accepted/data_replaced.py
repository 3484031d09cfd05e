import torch


def move_optimizer(net, optimizer, device):
    for parameter in net.parameters():
        parameter.data = parameter.data.to(device)
        if parameter.grad is not None:
            parameter.grad.data = parameter.grad.data.to(device)
        for state in optimizer.state[parameter].values():
            if isinstance(state, torch.Tensor) and state.shape:
                state.data = state.data.to(device)
    for buffer in net.buffers():
        buffer.data = buffer.data.to(device)
