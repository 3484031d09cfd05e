# finding: no-such-to
def move_optimizer(net, optimizer, device):
    net.to(device)
    optimizer.to(device)
