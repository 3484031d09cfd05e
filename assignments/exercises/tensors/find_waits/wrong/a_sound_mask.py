# finding: queued
def find_waits():
    return {
        "run": 17,
        "line": 14,
        "cause": 'decision',
        "change": 'weight = weight',
    }
