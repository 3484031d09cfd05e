# finding: still-read
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'total = total + float(loss)',
    }
