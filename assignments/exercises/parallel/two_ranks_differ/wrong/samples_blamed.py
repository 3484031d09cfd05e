# finding: samples-right
def two_ranks_differ():
    return {
        "run": 17,
        "line": 17,
        "cause": "same samples",
        "change": 'mine = slice(first + rank, first + 8, 2)',
    }
