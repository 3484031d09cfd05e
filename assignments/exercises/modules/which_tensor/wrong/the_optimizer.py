# finding: moves-what-it-knows
def which_tensor():
    return {
        "run": 7,
        "line": 20,
        "cause": 'state',
        "change": 'pass',
    }
