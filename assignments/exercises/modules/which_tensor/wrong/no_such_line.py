# finding: other-line
def which_tensor():
    return {
        "run": 17,
        "line": 99,
        "cause": 'loss',
        "change": 'pass',
    }
