def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": 'copy',
        "change": 'shifts = shifts + shift.pin_memory().to(device, non_blocking=True)',
    }
