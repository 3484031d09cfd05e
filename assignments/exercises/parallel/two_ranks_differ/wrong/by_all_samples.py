# finding: other-weight
def two_ranks_differ():
    return {
        "run": 1,
        "line": 20,
        "cause": "divided twice",
        "change": 'loss = errors.square().sum() / 16',
    }
