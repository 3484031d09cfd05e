# finding: other-waits
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'size',
        "change": 'kept = kept + scores.masked_select(scores > 7).sum()',
    }
