# finding: change-raises
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'add the loss',
    }
