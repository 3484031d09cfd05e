# finding: other-line
def find_waits():
    return {
        "run": 17,
        "line": 50,
        "cause": 'size',
        "change": 'pass',
    }
