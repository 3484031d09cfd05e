# finding: loss-right
def two_ranks_differ():
    return {
        "run": 17,
        "line": 20,
        "cause": "divided twice",
        "change": 'loss = errors.square().sum()',
    }
