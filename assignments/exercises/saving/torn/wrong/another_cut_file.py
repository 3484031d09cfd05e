# finding: change-raises
def torn():
    return {
        "run": 18,
        "line": 4,
        "cause": "text",
        "change": 'path = folder / "epoch_8.pt"',
    }
