# finding: other-waits
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "kept = kept + torch.where(scores > 7, scores, torch.tensor(0.0, device=device)).sum()",
    }
