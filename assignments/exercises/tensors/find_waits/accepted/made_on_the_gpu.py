def find_waits():
    return {
        "run": 8,
        "line": 11,
        "cause": 'copy',
        "change": 'shifts = shifts + torch.arange(1.0, 3.0, device=device)',
    }
