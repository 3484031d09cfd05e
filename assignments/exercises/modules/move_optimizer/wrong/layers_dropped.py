# finding: parameters-replaced
def move_optimizer(net, optimizer, device):
    while len(net):
        del net[0]
    optimizer.param_groups.clear()
