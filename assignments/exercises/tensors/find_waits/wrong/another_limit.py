# finding: other-result
def find_waits():
    return {
        "run": 48,
        "line": 12,
        "cause": "size",
        "change": "kept = kept + torch.where(scores > 200, scores, 0.0).sum()",
    }
