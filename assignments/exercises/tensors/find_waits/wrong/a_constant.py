# finding: other-longer
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "kept = torch.full((), 84.0, device=device)",
    }
