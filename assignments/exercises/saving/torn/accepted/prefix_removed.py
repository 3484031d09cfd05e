def torn():
    return {
        "run": 2,
        "line": 7,
        "cause": "prefix",
        "change": 'model.load_state_dict({key.removeprefix("module."): value for key, value in state_dict.items()})',
    }
