# finding: gradient-lost
def move_optimizer(net, optimizer, device):
    optimizer.zero_grad()
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
