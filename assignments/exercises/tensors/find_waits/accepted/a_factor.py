def find_waits():
    return {
        "run": 1,
        "line": 15,
        "cause": 'decision',
        "change": 'weight = weight / (1 + (scores.amax() > 10).float())',
    }
