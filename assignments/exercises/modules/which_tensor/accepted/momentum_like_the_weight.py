def which_tensor():
    return {
        "run": 7,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight] = {"momentum_buffer": weight.detach().clone().fill_(0.5)}',
    }
