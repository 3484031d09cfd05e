# finding: prepares-meanwhile
def starved():
    return {
        "run": 2,
        "line": 11,
        "cause": "too few workers",
        "change": 'prepare(0)',
    }
