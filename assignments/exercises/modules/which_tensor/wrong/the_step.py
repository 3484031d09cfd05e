# finding: where-it-shows
def which_tensor():
    return {
        "run": 7,
        "line": 30,
        "cause": 'state',
        "change": 'pass',
    }
