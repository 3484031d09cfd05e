# finding: parameters-replaced
def move_optimizer(net, optimizer, device):
    net.to(device)
    for group in optimizer.param_groups:
        group["params"] = [parameter.detach().clone() for parameter in group["params"]]
