# finding: other-line
def find_waits():
    return {
        "run": 17,
        "line": 7,
        "cause": 'decision',
        "change": 'for step in range(5):',
    }
