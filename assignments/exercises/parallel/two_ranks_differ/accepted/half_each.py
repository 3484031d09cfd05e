def two_ranks_differ():
    return {
        "run": 6,
        "line": 17,
        "cause": "same samples",
        "change": 'mine = slice(first + 4 * rank, first + 4 * rank + 4)',
    }
