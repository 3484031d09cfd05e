# finding: file-right
def torn():
    return {
        "run": 1,
        "line": 4,
        "cause": "device",
        "change": 'path = folder / "epoch_7.pt"',
    }
