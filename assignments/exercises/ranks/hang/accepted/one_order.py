def hang():
    return {
        "run": 19,
        "line": 24,
        "cause": "other order",
        "change": "calls = [agree, total]",
    }
