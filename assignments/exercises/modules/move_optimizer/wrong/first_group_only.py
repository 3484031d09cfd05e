# finding: parameters-forgotten
def move_optimizer(net, optimizer, device):
    net.to(device)
    for parameter in optimizer.param_groups[0]["params"]:
        states = optimizer.state[parameter]
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
