# finding: not-pinned
def what_waits():
    return {
        "run": 3,
        "line": 9,
        "cause": "copy",
        "change": "batch = store.to(device, non_blocking=True)",
    }
