# finding: names-forgotten
def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name in ("momentum_buffer", "exp_avg", "exp_avg_sq"):
            if name in states:
                states[name] = states[name].to(device)
