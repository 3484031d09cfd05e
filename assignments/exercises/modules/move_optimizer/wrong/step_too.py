# finding: step-counter-moved
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            states[name] = state.to(device)
