# finding: other-moved
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = torch.arange(4.0, device=device)',
    }
