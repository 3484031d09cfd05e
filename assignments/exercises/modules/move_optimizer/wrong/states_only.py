# finding: net-left-behind
def move_optimizer(net, optimizer, device):
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
