def hang():
    return {
        "run": 7,
        "line": 16,
        "cause": "early break",
        "change": "pass",
    }
