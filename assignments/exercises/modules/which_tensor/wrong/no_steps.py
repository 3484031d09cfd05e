# finding: other-result
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = 0.0',
    }
