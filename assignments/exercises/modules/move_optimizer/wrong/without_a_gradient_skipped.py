# finding: state-left-behind
def move_optimizer(net, optimizer, device):
    net.to(device)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is None:
                continue
            states = optimizer.state[parameter]
            for name, state in states.items():
                if state.dim() > 0:
                    states[name] = state.to(device)
