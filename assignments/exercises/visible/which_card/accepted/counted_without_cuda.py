def which_card():
    return {
        "run": 3,
        "line": 6,
        "cause": "read too early",
        "change": 'print("device_count:", torch.cuda.device_count())',
    }
