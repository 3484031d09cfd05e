# finding: other-used
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(rank, 4, 2)",
    }
