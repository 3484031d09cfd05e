def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": 'decision',
        "change": '    weight = torch.where(loss > 10, 0.5 * weight, weight)',
    }
