# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    optimizer = type(optimizer)(net.parameters(), lr=optimizer.param_groups[0]["lr"])
