# finding: other-time
def what_waits():
    return {
        "run": 1,
        "line": 11,
        "cause": "compute",
        "change": "hidden = (batch @ torch.eye(1536, device=device)) @ (weight @ weight)",
    }
