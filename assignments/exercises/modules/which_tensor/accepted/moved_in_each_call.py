def which_tensor():
    return {
        "run": 16,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = (torch.ones(4).cumsum(0) - 1).to(batch.device)',
    }
