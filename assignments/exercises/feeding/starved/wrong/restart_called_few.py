# finding: other-cause
def starved():
    return {
        "run": 1,
        "line": 4,
        "cause": "too few workers",
        "change": 'persistent_workers = True',
    }
