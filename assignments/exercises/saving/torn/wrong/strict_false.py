# finding: nothing-loaded
def torn():
    return {
        "run": 2,
        "line": 7,
        "cause": "prefix",
        "change": 'model.load_state_dict(state_dict, strict=False)',
    }
