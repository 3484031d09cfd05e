# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for state in states.values():
            state.to(device)
