def move_optimizer(net, optimizer, device):
    net.to(device)
    for states in optimizer.state.values():
        for name in states:
            if name != "step":
                states[name] = states[name].to(device)
