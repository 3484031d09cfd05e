# finding: other-cause
def torn():
    return {
        "run": 17,
        "line": 4,
        "cause": "text",
        "change": 'path = folder / "epoch_7.pt"',
    }
