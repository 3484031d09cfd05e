# finding: other-result
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = torch.arange(1.0, 5.0, device=batch.device)',
    }
