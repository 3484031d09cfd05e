# finding: other-times
def two_ranks_differ():
    return {
        "run": 6,
        "line": 17,
        "cause": "same samples",
        "change": 'mine = slice(first, first + 8)',
    }
