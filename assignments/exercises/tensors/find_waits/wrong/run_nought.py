# finding: other-run
def find_waits():
    return {
        "run": 0,
        "line": 11,
        "cause": 'number',
        "change": 'total = total + loss',
    }
