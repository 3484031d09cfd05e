# finding: loading-overlaps
def starved():
    return {
        "run": 1,
        "line": 2,
        "cause": "uneven batches",
        "change": 'loads = [100] * 12',
    }
