# finding: other-run
def which_tensor():
    return {
        "run": 0,
        "line": 7,
        "cause": 'list',
        "change": 'pass',
    }
