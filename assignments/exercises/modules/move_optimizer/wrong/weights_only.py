# finding: parameters-forgotten
def move_optimizer(net, optimizer, device):
    net.to(device)
    for layer in net:
        states = optimizer.state[layer.weight]
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
