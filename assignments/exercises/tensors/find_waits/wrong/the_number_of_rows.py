# finding: known-at-once
def find_waits():
    return {
        "run": 17,
        "line": 13,
        "cause": 'number',
        "change": 'rows += 3',
    }
