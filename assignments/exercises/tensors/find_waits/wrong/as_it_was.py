# finding: line-as-it-was
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'size',
        "change": 'kept = kept + scores[scores > 7].sum()',
    }
