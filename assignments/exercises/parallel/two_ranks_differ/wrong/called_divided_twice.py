# finding: other-cause
def two_ranks_differ():
    return {
        "run": 17,
        "line": 19,
        "cause": "divided twice",
        "change": 'errors = model(batch) - wanted',
    }
