def what_waits():
    return {
        "run": 5,
        "line": 12,
        "cause": "launches",
        "change": "hidden += hidden",
    }
