def what_waits():
    return {
        "run": 3,
        "line": 9,
        "cause": "copy",
        "change": "batch = pinned.to(device, non_blocking=True)",
    }
