# finding: not-left-behind
def which_tensor():
    return {
        "run": 17,
        "line": 22,
        "cause": 'state',
        "change": 'pass',
    }
