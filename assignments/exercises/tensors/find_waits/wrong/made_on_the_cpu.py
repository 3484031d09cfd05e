# finding: other-places
def find_waits():
    return {
        "run": 34,
        "line": 13,
        "cause": "copy",
        "change": "shifts = shifts + torch.tensor([1.0, 2.0])",
    }
