# finding: other-result
def which_tensor():
    return {
        "run": 23,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight]["momentum_buffer"] = None',
    }
