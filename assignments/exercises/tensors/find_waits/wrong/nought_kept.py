# finding: other-result
def find_waits():
    return {
        "run": 48,
        "line": 12,
        "cause": "size",
        "change": "kept = kept + 0.0",
    }
