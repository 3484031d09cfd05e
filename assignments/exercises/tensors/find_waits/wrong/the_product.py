# finding: queued
def find_waits():
    return {
        "run": 3,
        "line": 9,
        "cause": 'number',
        "change": 'scores = batch @ weight',
    }
