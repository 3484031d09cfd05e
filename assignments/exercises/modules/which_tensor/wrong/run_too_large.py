# finding: other-run
def which_tensor():
    return {
        "run": 10000,
        "line": 7,
        "cause": 'list',
        "change": 'pass',
    }
