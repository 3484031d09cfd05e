def starved():
    return {
        "run": 4,
        "line": 10,
        "cause": "blocking copy",
        "change": 'inputs = batch.to(device, non_blocking=True)',
    }
