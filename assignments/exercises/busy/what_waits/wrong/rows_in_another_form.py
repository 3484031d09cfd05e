# finding: other-time
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "launches",
        "change": "for row in hidden: row *= 2",
    }
