# finding: refuses-rightly
def torn():
    return {
        "run": 3,
        "line": 6,
        "cause": "text",
        "change": 'state_dict = torch.load(path, weights_only=False)',
    }
