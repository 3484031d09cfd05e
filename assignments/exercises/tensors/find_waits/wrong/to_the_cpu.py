# finding: other-waits
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'total = total + loss.cpu()',
    }
