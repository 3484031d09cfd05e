# finding: other-waits
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(6) if rank == 0 else []",
    }
