def starved():
    return {
        "run": 3,
        "line": 5,
        "cause": "too few workers",
        "change": 'workers = 3',
    }
