# finding: line-waits
def hang():
    return {
        "run": 17,
        "line": 17,
        "cause": "one batch more",
        "change": "optimizer.step()",
    }
