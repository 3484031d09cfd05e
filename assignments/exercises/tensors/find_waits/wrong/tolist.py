# finding: other-waits
def find_waits():
    return {
        "run": 6,
        "line": 14,
        "cause": 'number',
        "change": 'total = total + loss.tolist()',
    }
