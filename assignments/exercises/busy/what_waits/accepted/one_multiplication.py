def what_waits():
    return {
        "run": 1,
        "line": 11,
        "cause": "compute",
        "change": "hidden = torch.matmul(batch @ weight, weight)",
    }
