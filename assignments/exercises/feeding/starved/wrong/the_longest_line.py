# finding: gpu-works-there
def starved():
    return {
        "run": 4,
        "line": 12,
        "cause": "read",
        "change": 'loss = step(inputs)',
    }
