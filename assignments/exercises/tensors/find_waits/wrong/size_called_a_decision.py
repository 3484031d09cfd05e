# finding: other-cause
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'decision',
        "change": 'kept = kept + torch.where(scores > 7, scores, 0.0).sum()',
    }
