def move_optimizer(net, optimizer, device):
    net.to(device)
    # load_state_dict casts the states to the place of their parameters, and keeps `step`.
    optimizer.load_state_dict(optimizer.state_dict())
