# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
