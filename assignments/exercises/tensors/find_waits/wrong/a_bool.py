# finding: other-waits
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": 'decision',
        "change": 'weight = weight / (2 if bool(loss > 10) else 1)',
    }
