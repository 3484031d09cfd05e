# finding: ran-the-file
def torn():
    return {
        "run": 6,
        "line": 6,
        "cause": "code",
        "change": 'state_dict = torch.load(path, weights_only=False)',
    }
