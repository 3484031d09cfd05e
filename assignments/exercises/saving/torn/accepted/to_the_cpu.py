def torn():
    return {
        "run": 1,
        "line": 6,
        "cause": "device",
        "change": 'state_dict = torch.load(path, map_location="cpu")',
    }
