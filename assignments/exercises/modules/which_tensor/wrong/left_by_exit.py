# finding: change-raises
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'raise SystemExit',
    }
