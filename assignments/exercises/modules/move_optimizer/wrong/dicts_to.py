# finding: no-such-to
def move_optimizer(net, optimizer, device):
    net.to(device)
    for parameter, states in optimizer.state.items():
        optimizer.state[parameter] = states.to(device)
