# finding: other-cause
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "early break",
        "change": "mine = range(rank, 6, 2)",
    }
