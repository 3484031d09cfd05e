# finding: other-cause
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": 'number',
        "change": 'weight = torch.where(loss > 10, weight / 2, weight)',
    }
