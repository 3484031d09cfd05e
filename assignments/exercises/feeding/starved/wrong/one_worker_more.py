# finding: other-idle
def starved():
    return {
        "run": 8,
        "line": 4,
        "cause": "too few workers",
        "change": 'workers = 2',
    }
