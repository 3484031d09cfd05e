# finding: queued
def find_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": 'number',
        "change": 'total = total + loss',
    }
