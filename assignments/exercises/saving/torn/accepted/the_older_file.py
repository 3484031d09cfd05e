def torn():
    return {
        "run": 13,
        "line": 4,
        "cause": "cut",
        "change": 'path = folder / "epoch_7.pt"',
    }
