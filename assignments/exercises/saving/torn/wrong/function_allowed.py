# finding: ran-the-file
def torn():
    return {
        "run": 6,
        "line": 6,
        "cause": "code",
        "change": 'torch.serialization.add_safe_globals([open]); state_dict = torch.load(path)',
    }
