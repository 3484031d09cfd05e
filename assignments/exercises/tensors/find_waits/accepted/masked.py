def find_waits():
    return {
        "run": 18,
        "line": 13,
        "cause": 'size',
        "change": 'kept = kept + scores.masked_fill(scores <= 7, 0).sum()',
    }
