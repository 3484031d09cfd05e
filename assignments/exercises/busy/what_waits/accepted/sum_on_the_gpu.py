def what_waits():
    return {
        "run": 2,
        "line": 14,
        "cause": "read",
        "change": "total += loss.sum()",
    }
