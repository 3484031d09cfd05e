# finding: other-result
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": "decision",
        "change": "pass",
    }
