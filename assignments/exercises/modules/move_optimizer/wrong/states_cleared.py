# finding: state-lost
def move_optimizer(net, optimizer, device):
    net.to(device)
    optimizer.state.clear()
