# finding: training-differs
def move_optimizer(net, optimizer, device):
    net.to(device)
    for group in optimizer.param_groups:
        group["lr"] = optimizer.param_groups[0]["lr"]
    for states in optimizer.state.values():
        for name, state in states.items():
            if state.dim() > 0:
                states[name] = state.to(device)
