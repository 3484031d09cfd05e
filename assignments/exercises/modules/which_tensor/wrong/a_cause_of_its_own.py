# finding: other-form
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'weights',
        "change": 'pass',
    }
